/**
 * `createTools`: several tools in one component, and what a component with jobs answers besides.
 *
 * @module
 */
import type { JobRecord } from '../contract/job.ts'
import type { Offer } from '../contract/offer.ts'
import type { ToolDescription } from '../contract/tool.ts'
import type { Prompt } from '../offers/prompt.ts'
import type { Resource } from '../offers/resource.ts'
import { withJobs } from '#jobs'
import type { ToolContext } from './context.ts'
import type { Tool } from './create-tool.ts'

/** Jobs a component keeps by itself, without `createTool({ job })`. */
export interface JobHandlers {
  /** The record, refreshed if it is due; `undefined` when there is no such job. */
  get(id: string, context: ToolContext): Promise<JobRecord | undefined>
  /** Cancels exactly this job; answers the record as it is then. A final job is left as it is. */
  cancel(id: string, context: ToolContext): Promise<JobRecord | undefined>
}

/** What a component has besides its tools. */
export interface ToolSetOptions {
  /** For tools that answer with a job of their own making; those made with `job` need none. */
  jobs?: JobHandlers
  /** Serves a file a job made; `file` is the name after `/outputs/`, `request` has the caller's `range`. */
  output?: (file: string, context: ToolContext, request: Request) => Promise<Response>
  /** Whether clients are told that these tools log: then they are sent what `log` and generators say. @default false */
  logging?: boolean
  /** Made by `createPrompt`. */
  prompts?: Prompt[]
  /** Made by `createResource`. */
  resources?: Resource[]
  /** Descriptions that depend on mounted files or variables. @default the tools' own */
  describe?: (context: ToolContext) => Promise<ToolDescription[]>
}

/** Tools, prompts and resources of one component, ready to be exported. */
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
 * @throws {TypeError} at build time, when two of them have the same name or there is none.
 */
export function createTools(tools: Tool[], options: ToolSetOptions = {}): ToolSet {
  if (tools.length === 0) throw new TypeError('createTools needs at least one tool')
  return toolSet(tools, options)
}

/** The same for a component that may have prompts and resources only. */
export function toolSet(tools: Tool[], options: ToolSetOptions): ToolSet {
  const stranger = tools.findIndex((tool) => !isTool(tool))
  if (stranger >= 0) {
    throw new TypeError(`tool ${stranger + 1} of this component is none: use createTool`)
  }
  const { prompts = [], resources = [] } = options
  for (const [what, all] of Object.entries({ tools, prompts, resources })) {
    const names = all.map(({ description }) => addressOf(description))
    const twin = names.find((name, index) => names.indexOf(name) < index)
    if (twin !== undefined) {
      throw new TypeError(`two ${what} of this component are named "${twin}": rename one`)
    }
  }
  return withJobs({ ...options, tools })
}

export function isTool(value: unknown): value is Tool {
  return typeof (value as Tool | undefined)?.call === 'function' && typeof value === 'object'
}

function addressOf(described: { name: string; uri?: string; uriTemplate?: string }): string {
  return described.uri ?? described.uriTemplate ?? described.name
}
