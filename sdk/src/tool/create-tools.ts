/**
 * `createTools`: several tools in one component, and what a component with jobs answers besides.
 *
 * @module
 */
import type { JobRecord } from '../contract/job.ts'
import type { Offer } from '../contract/offer.ts'
import type { ToolDescription } from '../contract/tool.ts'
import { withJobs } from '../job/handlers.ts'
import type { ToolContext } from './context.ts'
import type { Tool } from './create-tool.ts'

export interface JobHandlers {
  /** The record, refreshed if it is due; `undefined` when there is no such job. */
  get(id: string, context: ToolContext): Promise<JobRecord | undefined>
  /** Cancels exactly this job; answers the record as it is then. A final job is left as it is. */
  cancel(id: string, context: ToolContext): Promise<JobRecord | undefined>
}

export interface ToolSetOptions {
  /** For tools that answer with a job of their own making; those made with `job` need none. */
  jobs?: JobHandlers
  /** Serves a file a job made; `file` is the name after `/outputs/`, `request` has the caller's `range`. */
  output?: (file: string, context: ToolContext, request: Request) => Promise<Response>
  /** Whether generators of these tools yield log lines: clients are told. @default false */
  logging?: boolean
  /** Descriptions that depend on mounted files or variables. @default the tools' own */
  describe?: (context: ToolContext) => Promise<ToolDescription[]>
}

export interface ToolSet extends ToolSetOptions {
  tools: Tool[]
  /** Tools that are known only at run time; asked for a name that is none of `tools`. */
  find?: (name: string, context: ToolContext) => Promise<Tool | undefined>
  /** What is offered now, in place of `describe`. */
  offer?: (context: ToolContext) => Promise<Offer>
}

/**
 * Puts tools into one component: one sandbox, one instance a call, one set of mounts and variables.
 *
 * @throws {TypeError} at build time, when two tools have the same name or there is none.
 */
export function createTools(tools: Tool[], options: ToolSetOptions = {}): ToolSet {
  if (tools.length === 0) throw new TypeError('createTools needs at least one tool')
  const seen = new Set<string>()
  for (const { description } of tools) {
    if (seen.has(description.name)) {
      throw new TypeError(`two tools of this component are named "${description.name}"`)
    }
    seen.add(description.name)
  }
  return withJobs({ ...options, tools })
}
