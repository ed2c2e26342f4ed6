/**
 * What a handler knows about the call and may ask of the machine.
 *
 * Everything here may be taken apart (`handler: async (input, { log, kv }) => …`), and costs nothing until it is used.
 *
 * @module
 */
import type { LogLevel } from '../contract/lines.ts'
import type { Content } from '../contract/tool.ts'
import type { GivenTo, ResultOf, Tool } from './create-tool.ts'
import type { ToolStatus } from './stream.ts'

/** One key-value store; the same shape as `KeyValue` of ftl-platform. */
export interface ContextKeyValue {
  get(key: string): Promise<Uint8Array | undefined>
  set(key: string, value: Uint8Array | string): Promise<void>
  delete(key: string): Promise<void>
  exists(key: string): Promise<boolean>
  keys(): Promise<string[]>
}

/**
 * The host's capabilities. The SDK imports no host, so the shape is repeated here; a type test holds it equal
 * to `Platform` of ftl-platform.
 */
export interface ContextPlatform {
  openKeyValue(label: string): Promise<ContextKeyValue>
  variables: { get(name: string): string | undefined }
  files: {
    read(path: string): Promise<Uint8Array | undefined>
    list(path: string): Promise<string[]>
    stamp(path: string): Promise<string | undefined>
  }
  now(): number
  randomUUID(): string
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>
  waitUntil(work: Promise<unknown>): void
}

/**
 * The key-value store `default`; opened when it is first used.
 *
 * Keys: at most 255 bytes of `[A-Za-z0-9._:-]` go everywhere; values up to 1 MB do. No backend has a compare-and-swap that
 * can be relied on: of two writers the last one wins.
 *
 * @throws {ConfigurationError} from each of its functions, with the line `spin.toml` lacks.
 */
export interface ToolStore extends ContextKeyValue {
  /** The value as text; `undefined` when there is none. */
  getText(key: string): Promise<string | undefined>
  /** The value as JSON. The type is a promise of yours: check what others may have written. */
  getJson<T = unknown>(key: string): Promise<T | undefined>
  setJson(key: string, value: unknown): Promise<void>
  /** Another store, by its label in `key_value_stores`. */
  open(label: string): ToolStore
}

/** The component's variables, as `spin.toml` gives them to it. */
export interface ToolVariables {
  get(name: string): string | undefined
  /** @throws {ConfigurationError} that says what to write in `spin.toml`. */
  require(name: string): string
}

/** Writes a line to the component's log and, where the caller wants lines of this level, to the caller. Nothing secret. */
export interface ToolLog extends Record<LogLevel, (data: unknown) => void> {
  (level: LogLevel, data: unknown): void
}

/** What another tool answered. */
export interface CalledTool<Result = unknown> {
  content: Content[]
  /** The texts of `content`, a line break between two. */
  text: string
  structuredContent: Result
  _meta?: Record<string, unknown>
}

/** What a handler is given besides the arguments. */
export interface ToolContext {
  platform: ContextPlatform
  /** Name of this component in `spin.toml`. */
  component: string
  /** Id of the client's request, for logs. */
  requestId: string
  /** Milliseconds the caller will still wait, as it said when it called. @default 30_000 */
  deadline: number
  /** Fires at the deadline and when the caller goes away. {@link ToolContext.fetch} has it already. */
  readonly signal: AbortSignal
  /** Who calls, where the gateway knows it. */
  principal?: string
  /** The same key means the same job. */
  idempotencyKey?: string
  /** W3C trace context of the call, by the names of its headers, to hand on; only what the caller sent. */
  readonly trace?: Readonly<Record<string, string>>
  /** Whether somebody is shown {@link progress} and what a generator yields. @default false */
  readonly listens?: boolean
  /** Whether the caller takes a job for an answer. */
  respondAsync: boolean
  /** What the client can be asked for, by {@link ToolResponse.inputRequired}: `elicitation`, `sampling`, `roots`. */
  clientCapabilities: Readonly<Record<string, unknown>>
  /**
   * The client's answers to an earlier `inputRequired`, by its keys. Input like any other: keys may be missing or
   * unknown, and the values are whatever the client sent.
   */
  inputResponses?: Readonly<Record<string, unknown>>
  /** The `requestState` of that earlier answer, unchanged. */
  requestState?: string

  /**
   * Tells a caller that listens how the work is getting on; for any other it costs nothing.
   *
   * A number must be greater than the one before; what is not is left out. A job tells by `job.update` and what `poll`
   * returns instead.
   *
   * @example
   * progress({ message: 'Reading', progress: 1, total: 3 })
   */
  readonly progress: (news: number | string | ToolStatus) => void
  /**
   * @example
   * log.info({ rows: 5 })
   * log('warning', 'half of it is missing')
   */
  readonly log: ToolLog
  readonly variables: ToolVariables
  readonly kv: ToolStore
  /**
   * `fetch` that ends at the deadline.
   *
   * @throws {ConfigurationError} with the line for `allowed_outbound_hosts` when nothing can be reached.
   */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>
  /**
   * Calls a tool of another component of the application, for the same principal and within the same deadline.
   *
   * @param target `component`, or `component/tool` where the component has several.
   * @throws {ToolError} with the words of the tool, when it answers that it failed.
   * @throws {ConfigurationError} when it cannot be reached.
   * @example
   * import type { tool as weather } from '../../weather/src/main.ts'
   * const { structuredContent } = await callTool<typeof weather>('weather', { city: 'Rome' })
   */
  readonly callTool: <T extends Tool = Tool>(
    target: string,
    args: GivenTo<T>,
  ) => Promise<CalledTool<ResultOf<T>>>
}
