/** A gateway with a code component and a component whose calls are counted, for tests of runs with a journal. */
import type { KeyValue } from 'ftl-platform'
import { as, keys } from './api-keys.ts'
import { codeComponent, type Program } from './code-component.ts'
import { type Component, createWorld, text, tool, type World } from './components.ts'
import { modern } from './modern.ts'

const POLICY = JSON.stringify({
  rules: [{ effect: 'ask', tools: ['delete', 'drop'] }, { effect: 'allow' }],
})

/** What tools have done, and everything that is stored: it outlives any host. */
export interface Lasting {
  clock: { now: number }
  /** `tool {"arguments":…}` of each call that ran. */
  ran: string[]
  entries: Map<string, Uint8Array>
}

export const lasting = (): Lasting => ({ clock: { now: 1_000_000 }, ran: [], entries: new Map() })

/** A host over it. Everything it does outside of its memory is a step. */
export interface RunWorld extends World {
  lasting: Lasting
  steps: number
  capabilities: string[]
  /** A call of 2026-07-28. @returns the result or the error */
  ask(method: string, params: Record<string, unknown>, client?: Client): Promise<Answer>
  /** The same, at another path than `/mcp`. */
  askAt(
    path: string,
    method: string,
    params: Record<string, unknown>,
    client?: Client,
  ): Promise<Answer>
}

export interface Client {
  who?: string
  capabilities?: object
  headers?: Record<string, string>
  meta?: object
}

export interface Answer {
  resultType?: string
  requestState?: string
  inputRequests?: Record<string, { params: { message: string } }>
  content?: { text: string }[]
  isError?: boolean
  _meta?: Record<string, { token: string; expiresAt: string }>
  taskId?: string
  status?: string
  statusMessage?: string
  result?: Answer
  error?: { message: string }
  message?: string
}

export const ELICITS = { elicitation: {} }
export const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} } }
export const APPROVAL = 'ftl/approval'
export const answering = (action: string) => ({
  inputResponses: { [APPROVAL]: { action, content: {} } },
})

export interface RunWorldOptions {
  over?: Lasting
  /** The step at which the host dies: this and all later ones never end. @default it lives */
  dieAt?: number
  variables?: Record<string, string>
  /** Called when a tool has run, before its answer. */
  onRun?: (name: string) => void | Promise<void>
}

export function runWorld(
  program: (program: Program) => Promise<string>,
  { over = lasting(), dieAt = Infinity, variables = {}, onRun }: RunWorldOptions = {},
): RunWorld {
  const code = codeComponent(program)
  let steps = 0
  const step = () => (++steps < dieAt ? undefined : new Promise<never>(() => {}))
  const files: Component = async (incoming) => {
    if (incoming.method === 'GET') return Response.json(FILES)
    await step()
    const name = new URL(incoming.url).pathname.slice(1)
    const { arguments: _, ...args } = (await incoming.json()) as Record<string, unknown>
    over.ran.push(`${name} ${JSON.stringify(args)}`)
    await onRun?.(name)
    await step()
    return Response.json(text(`did ${name} ${String(args.path)}`))
  }
  const made = createWorld({
    components: { files, code: code.component },
    variables: {
      api_keys: keys('ada', 'eve'),
      policy: POLICY,
      catalog_ttl_ms: '60000000',
      ...variables,
    },
    now: () => over.clock.now,
  })
  const store = storeOver(over.entries, step)
  made.platform.openKeyValue = async () => store
  code.world = made
  const askAt: RunWorld['askAt'] = async (
    path,
    method,
    params,
    { who = 'ada', capabilities = {}, headers = {}, meta = {} } = {},
  ) => {
    const { taskId } = params
    const named = typeof taskId === 'string' ? { 'mcp-name': taskId } : {}
    const sent = modern(method, params, {
      capabilities,
      headers: { ...as(who), ...named, ...headers },
      meta,
      path,
    })
    const response = await made.send(sent)
    const { result, error } = (await response.json()) as { result?: Answer; error?: Answer }
    return result ?? error ?? {}
  }
  return {
    ...made,
    lasting: over,
    capabilities: code.capabilities,
    get steps() {
      return steps
    },
    ask: (method, params, client) => askAt('/mcp', method, params, client),
    askAt,
  }
}

const FILES = ['delete', 'drop', 'append', 'read', 'replace'].map((name) => ({
  ...tool(name, { path: { type: 'string' } }),
  ...(name === 'read' && { annotations: { readOnlyHint: true } }),
  ...(name === 'replace' && { annotations: { idempotentHint: true } }),
}))

function storeOver(
  entries: Map<string, Uint8Array>,
  step: () => Promise<never> | undefined,
): KeyValue {
  const encoder = new TextEncoder()
  return {
    async get(key) {
      await step()
      return entries.get(key)?.slice()
    },
    async set(key, value) {
      await step()
      entries.set(key, typeof value === 'string' ? encoder.encode(value) : value.slice())
    },
    async delete(key) {
      await step()
      entries.delete(key)
    },
    async exists(key) {
      await step()
      return entries.has(key)
    },
    keys: async () => [...entries.keys()],
  }
}
