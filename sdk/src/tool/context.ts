/**
 * What a handler knows about the call and can use of the platform.
 *
 * Everything here can be destructured (`handler: async (input, { log, kv }) => …`), and costs nothing until it is used.
 */
import type { Content, LogLevel } from 'ftl-contract'
import type { ToolCaller } from './caller.ts'
import type { ToolClient } from './client.ts'
import type { GivenTo, ResultOf, Tool } from './create-tool.ts'
import type { Elicit } from './elicit.ts'
import type { ToolStatus } from './stream.ts'

/** One key-value store; the same shape as `KeyValue` of ftl-platform. */
export interface ContextKeyValue {
  get(key: string): Promise<Uint8Array | undefined>
  set(key: string, value: Uint8Array | string): Promise<void>
  /**
   * Writes `value` if the entry is still what `get` returned: the bytes `expected`, or no entry for `undefined`.
   *
   * @returns whether it was written; `undefined` where the host cannot compare (Spin): nothing was written, use `set`.
   */
  setIf?(
    key: string,
    expected: Uint8Array | undefined,
    value: Uint8Array | string,
  ): Promise<boolean | undefined>
  delete(key: string): Promise<void>
  exists(key: string): Promise<boolean>
  keys(): Promise<string[]>
}

/**
 * The host's capabilities. The SDK imports no host, so the shape is repeated here; a type test keeps it equal to
 * `Platform` of ftl-platform.
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
 * Keys of at most 255 bytes of `[A-Za-z0-9._:-]` and values of up to 1 MB work on every platform. Of two writers the last
 * one wins; `setIf` prevents that on the embedded host.
 *
 * @throws {ConfigurationError} from each of its functions, with the line to add to `spin.toml`.
 */
export interface ToolStore extends ContextKeyValue {
  /** The value as text; `undefined` if the key is missing. */
  getText(key: string): Promise<string | undefined>
  /** The value as JSON. `T` is not checked: validate what other code may write. @throws {SyntaxError} if not JSON. */
  getJson<T = unknown>(key: string): Promise<T | undefined>
  setJson(key: string, value: unknown): Promise<void>
  /** Another store, by its label in `key_value_stores`. */
  open(label: string): ToolStore
}

/** The component's variables from `spin.toml`. */
export interface ToolVariables {
  get(name: string): string | undefined
  /** @throws {ConfigurationError} with what to add to `spin.toml`. */
  require(name: string): string
}

/** Writes a line to the component's log and, if the caller requested this level, to the caller. Log no secrets. */
export interface ToolLog extends Record<LogLevel, (data: unknown) => void> {
  (level: LogLevel, data: unknown): void
}

/** The result of another tool. */
export interface CalledTool<Result = unknown> {
  content: Content[]
  /** The texts of `content`, separated by line breaks. */
  text: string
  structuredContent: Result
  _meta?: Record<string, unknown>
}

/** What a handler receives besides the arguments. */
export interface ToolContext {
  platform: ContextPlatform
  /** Name of this component in `spin.toml`. */
  component: string
  /** Id of the client's request, for logs. */
  requestId: string
  /** Milliseconds the caller waits, counted from the start of the call. @default 30_000 */
  deadline: number
  /** Aborts at the deadline and when a caller that listens disconnects. {@link ToolContext.fetch} already uses it. */
  readonly signal: AbortSignal
  /** Unique name of the caller, if the gateway knows it. Same as `caller.id`. */
  principal?: string
  /**
   * The authenticated caller; `undefined` if no authentication is configured.
   *
   * @example
   * if (!caller?.scopes.includes('images:write')) throw new ToolError('This tool needs the scope images:write')
   */
  readonly caller?: ToolCaller
  /** Calls of one caller to one tool with the same key share one job. */
  idempotencyKey?: string
  /** W3C trace context of the call, by header name, to pass on; contains only what the caller sent. */
  readonly trace?: Readonly<Record<string, string>>
  /** Whether the caller receives {@link progress} and what a generator yields. @default false */
  readonly listens?: boolean
  /** Least severe level of the log lines that the caller receives. @default none */
  readonly logLevel?: LogLevel | undefined
  /** Whether the caller accepts a job as the answer. */
  respondAsync: boolean
  /**
   * The client: its revision of MCP and what it can show, to choose the form of a result.
   *
   * @example
   * if (!client.readsLinks) return ToolResponse.image(bytes, 'image/png')
   */
  readonly client: ToolClient
  /** What {@link ToolResponse.inputRequired} may ask the client for: `elicitation`, `sampling`, `roots`. */
  clientCapabilities: Readonly<Record<string, unknown>>
  /**
   * The client's answers to an earlier `inputRequired`, by its keys. Untrusted input: keys may be missing or unknown,
   * and values are not checked.
   */
  inputResponses?: Readonly<Record<string, unknown>>
  /** The `requestState` of that earlier answer, unchanged. */
  requestState?: string

  /**
   * Asks the user to fill in a form, and returns the answer, which fits the schema.
   *
   * The handler ends here and runs again from its beginning with the answer: change nothing before the last question, and
   * ask the same questions in the same order. Fields are strings, numbers, booleans, enums and lists of an enum. Clients
   * that cannot ask their user get an error; `clientCapabilities.elicitation` tells which can.
   *
   * @throws {ToolError} when the client's answer does not fit the schema.
   * @example
   * const { action, content } = await elicit(`Delete ${city}?`, z.object({ confirm: z.boolean() }))
   * if (action !== 'accept' || !content.confirm) return 'Nothing was deleted'
   */
  readonly elicit: Elicit

  /**
   * Reports progress to a caller that listens; for other callers it does nothing.
   *
   * The number must increase: one that does not is left out. A job reports by `job.update` and the result of `poll`
   * instead.
   *
   * @example
   * progress({ message: 'Reading', progress: 1, total: 3 })
   */
  readonly progress: (update: number | string | ToolStatus) => void
  /**
   * @example
   * log.info({ rows: 5 })
   * log('warning', 'half of it is missing')
   */
  readonly log: ToolLog
  readonly variables: ToolVariables
  readonly kv: ToolStore
  /**
   * Opens a file of a job of this component, as the caller may read it: by its name at `/outputs/{name}`.
   *
   * @returns a response of status 404 if there is no such file, or if it belongs to another caller.
   * @example
   * const picture = await (await file('9b2c7d52-8f5e-4f0b-9b39-7b6f0d3c1a11.png')).bytes()
   */
  readonly file: (name: string) => Promise<Response>
  /**
   * `fetch` that is aborted at the deadline, unless the response has begun.
   *
   * @throws {ConfigurationError} when the server cannot be reached, with the line for `allowed_outbound_hosts`.
   */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>
  /**
   * Calls a tool of another component of the application, for the same principal and within the same deadline.
   *
   * @param target `component`, or `component/tool` where the component has several.
   * @throws {ToolError} with the tool's message, when the tool returns an error.
   * @throws {ConfigurationError} when the component cannot be reached or has no such tool.
   * @example
   * import type { tool as weather } from '../../weather/src/main.ts'
   * const { structuredContent } = await callTool<typeof weather>('weather', { city: 'Rome' })
   */
  readonly callTool: <T extends Tool = Tool>(
    target: string,
    args: GivenTo<T>,
  ) => Promise<CalledTool<ResultOf<T>>>
}
