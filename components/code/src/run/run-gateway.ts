/** What a run asks the gateway for, with the capability that the gateway has made for it. */
import { isObject } from 'ftl-contract'
import { ProgramError } from '../program/program-error.ts'

/** The header with the capability; the gateway sends it, and takes it back. */
export const RUN_HEADER = 'ftl-run'
/** `value` for saved programs: the result is what the program returns. */
export const FORM_HEADER = 'ftl-run-form'
const GATEWAY = 'http://mcp-gateway.spin.internal'
/** Names that a program is given. */
const MAX_TOOLS = 10_000

export interface CallResult {
  content?: { type: string; text?: string }[]
  structuredContent?: unknown
  isError?: boolean
}

/** What a program is given at its start; the same each time the gateway starts the run. */
export interface RunStart {
  /** `[["echo", ["echo"]]]`: components, and the tools of each that this run may call. */
  tools: [component: string, tools: string[]][]
  id: string
  /** Milliseconds since the epoch. */
  startedAt: number
  maxCalls: number
  /** The run was started before. */
  replayed: boolean
}

export interface RunGateway {
  begin(): Promise<RunStart>
  /** @param seq counts the calls of a run from 1, in the order in which they start. */
  call(seq: number, component: string, tool: string, args: unknown): Promise<CallResult>
  search(query: Record<string, unknown>): Promise<unknown>
  describe(query: Record<string, unknown>): Promise<unknown>
  /** Keeps a result that is too long for one answer. @param page characters of a page */
  keep(text: string, page: number): Promise<KeptResult>
}

/** By the handle, the caller reads the rest of it. */
export interface KeptResult {
  handle: string
  expiresAt: string
}

/** The instance ends here, and its program sees nothing of it: the gateway knows how the run goes on, or that it does not. */
export class RunStopped extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}
const STOPPING: ReadonlySet<unknown> = new Set(['input_required', 'run_invalid', 'run_ended'])

/** @param fetch aborts at the end of the run. */
export function runGateway(
  fetch: (url: string, init?: RequestInit) => Promise<Response>,
  capability: string,
): RunGateway {
  /** @param body sent as JSON, a string as it is. */
  async function request(path: string, body?: unknown): Promise<Record<string, unknown>> {
    const type = typeof body === 'string' ? 'text/plain' : 'application/json'
    const response = await fetch(`${GATEWAY}/run/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        [RUN_HEADER]: capability,
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': type }),
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const answer: unknown = await response.json().catch(() => undefined)
    if (!isObject(answer)) throw unexpected(response.status)
    if (response.ok) return answer
    const { error } = answer
    if (!isObject(error) || typeof error['message'] !== 'string') throw unexpected(response.status)
    const code = typeof error['code'] === 'string' ? error['code'] : undefined
    if (code !== undefined && STOPPING.has(code)) throw new RunStopped(code, error['message'])
    throw new ProgramError('ToolError', error['message'], undefined, { code })
  }

  return {
    async begin() {
      const { tools, run } = await request('tools')
      if (!Array.isArray(tools) || !isObject(run)) throw unexpected(200)
      const { id, startedAt, maxCalls, replayed } = run
      if (typeof id !== 'string' || typeof startedAt !== 'number') throw unexpected(200)
      if (typeof maxCalls !== 'number') throw unexpected(200)
      const byComponent = new Map<string, string[]>()
      for (const each of tools.slice(0, MAX_TOOLS) as unknown[]) {
        if (!isObject(each)) continue
        const { component, tool } = each
        if (typeof component !== 'string' || typeof tool !== 'string') continue
        const list = byComponent.get(component)
        if (list) list.push(tool)
        else byComponent.set(component, [tool])
      }
      return { tools: [...byComponent], id, startedAt, maxCalls, replayed: replayed === true }
    },
    async call(seq, component, tool, args) {
      const { result } = await request('call', { seq, component, tool, arguments: args })
      if (!isObject(result)) throw unexpected(200)
      return result
    },
    search: (query) => request('search', query),
    describe: (query) => request('describe', query),
    async keep(text, page) {
      const { handle, expiresAt } = await request(`result?page=${page}`, text)
      if (typeof handle !== 'string' || typeof expiresAt !== 'string') throw unexpected(200)
      return { handle, expiresAt }
    },
  }
}

function unexpected(status: number): ProgramError {
  return new ProgramError(
    'ToolError',
    `the gateway gave an answer of another form (status ${status})`,
    undefined,
    { code: 'gateway' },
  )
}
