/** `createTools`: several tools in one component, and handlers for jobs. */
import type { JobRecord, Offer, ToolDescription } from 'ftl-contract'
import type { Prompt } from '../prompts-and-resources/prompt.ts'
import type { FeatureServer } from '../prompts-and-resources/dynamic.ts'
import type { Resource } from '../prompts-and-resources/resource.ts'
import { withJobs } from '../job/handlers.ts'
import type { ToolContext } from './context.ts'
import type { Served } from './rehearse.ts'
import type { Tool } from './create-tool.ts'

/** Handlers for jobs that a component stores itself, without `createTool({ job })`. */
export interface JobHandlers {
  /** Returns the record, refreshed if it is due; `undefined` if the job does not exist. */
  get(id: string, context: ToolContext): Promise<JobRecord | undefined>
  /** Cancels only this job and returns its record afterwards. A job that has ended must not change. */
  cancel(id: string, context: ToolContext): Promise<JobRecord | undefined>
}

/** What a component has besides its tools. */
export interface ToolSetOptions {
  /** For tools that create jobs themselves; tools made with `job` do not need it. */
  jobs?: JobHandlers
  /** Serves an output file of a job; `file` is the name after `/outputs/`, `request` has the caller's `range`. */
  output?: (file: string, context: ToolContext, request: Request) => Promise<Response>
  /**
   * Takes files that callers send (`POST /uploads/`, the body is the file; `name` and `length` are in the query), and gives
   * them to other components (`GET /uploads/{id}`). A tool with `ftl/uploads` in its `_meta` says who may send files.
   */
  uploads?: (path: string, context: ToolContext, request: Request) => Promise<Response>
  /** Opens such a file for the tools of the component: {@link ToolContext.file}. */
  file?: (file: string, context: ToolContext) => Promise<Response>
  /** Announces to clients that these tools log, so that they receive log lines. @default false */
  logging?: boolean
  /** Made by `createPrompt`. */
  prompts?: Prompt[]
  /** Made by `createResource`. */
  resources?: Resource[]
  /** Descriptions that depend on mounted files or variables. @default the tools' descriptions */
  describe?: (context: ToolContext) => Promise<ToolDescription[]>
  /**
   * What does not work now, a line each: shown to the operator in `/health/components`, `ftl start` and `ftl doctor`, and
   * to clients in the `_meta` of the list of tools. @default none
   */
  problems?: (context: ToolContext) => Promise<string[]>
}

/** Tools, prompts and resources of one component, ready to be exported. */
export interface ToolSet extends ToolSetOptions {
  tools: Tool[]
  /** Finds tools that are known only at run time; called with a name that is not in `tools`. */
  find?: (name: string, context: ToolContext) => Promise<Tool | undefined>
  /** The current offer; replaces `describe`. */
  offer?: (context: ToolContext) => Promise<Offer>
  /** Prompts and resources that are known only at run time; `offer` describes them. */
  features?: FeatureServer
  /** Makes a call while the component is built, for tools that `find` makes. @throws {TypeError} when it is not answered. */
  rehearse?: (component: Served) => Promise<void>
}

/**
 * Puts tools into one component: they share one sandbox, its mounts and variables; each call gets its own instance.
 *
 * @throws {TypeError} at build time, when `tools` is empty, a name is used twice, or a tool is not from `createTool`.
 */
export function createTools(tools: Tool[], options: ToolSetOptions = {}): ToolSet {
  if (tools.length === 0) throw new TypeError('createTools needs at least one tool')
  return toolSet(tools, options)
}

/** Like `createTools`, for a component that may have only prompts and resources. */
export function toolSet(tools: Tool[], options: ToolSetOptions): ToolSet {
  const stranger = tools.findIndex((tool) => !isTool(tool))
  if (stranger >= 0) {
    throw new TypeError(`tool ${stranger + 1} of this component was not made by createTool`)
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
