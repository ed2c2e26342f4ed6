/**
 * What a handler knows about the call and may ask of the machine.
 *
 * @module
 */

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

export interface ToolContext {
  platform: ContextPlatform
  /** Name of this component in `spin.toml`. */
  component: string
  /** Id of the client's request, for logs. */
  requestId: string
  /** Milliseconds the caller will still wait, as it said when it called. @default 30_000 */
  deadline: number
  /** Fires at the deadline and when the caller goes away. Pass it to every fetch. */
  readonly signal: AbortSignal
  /** Who calls, where the gateway knows it. */
  principal?: string
  /** The same key means the same job. */
  idempotencyKey?: string
  /** W3C trace context of the call, by the names of its headers, to hand on; only what the caller sent. */
  readonly trace?: Readonly<Record<string, string>>
  /** Whether somebody is shown what a generator yields. @default false */
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
}
