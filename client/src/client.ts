import type { Tool } from '@modelcontextprotocol/client'
import {
  type CallOptions,
  Caller,
  type ProgressOptions,
  type RequestOptions,
  TIMEOUT_MS,
  type ToolResult,
} from './tool-call.ts'
import type { ServerConfig } from './config/server-config.ts'
import type { ConnectionOptions } from './connection.ts'
import { type ClientError, ConnectionError, StateError } from './errors.ts'
import { explain } from './explain.ts'
import { type ClientState, Lifecycle } from './lifecycle.ts'
import { type Introduction, Link } from './link.ts'
import { traced } from './telemetry.ts'
import { ToolCache } from './tool-cache.ts'
import { unlessAborted, within } from './wait.ts'

/** Options of one client. */
export interface ClientOptions extends ConnectionOptions {
  /** Called when the connection to an initialized server is lost, but not after `close`. */
  onFailure?: (error: ClientError) => void
}

/** Options of a list that may be cached. */
export interface ListOptions extends RequestOptions {
  /** Requests the list from the server even if the cached one is still valid. @default false */
  refresh?: boolean
}

/**
 * A client of one MCP server, which is a process or a URL.
 *
 * @example
 * const client = await Client.connect({ command: 'node', args: ['server.js'] })
 * await client.initialize()
 * const result = await client.callTool('greet', { name: 'Ada' })
 * await client.close()
 */
export class Client {
  readonly name: string
  readonly #options: ClientOptions
  readonly #link: Link
  readonly #tools: ToolCache
  readonly #caller: Caller
  readonly #life: Lifecycle
  #initializing = false
  #closing: Promise<void> | undefined

  /**
   * Starts the server's process. Sends nothing to an HTTP server yet.
   *
   * @throws {ConfigError} when `protocol` is unknown. @throws {ProcessError} when the process cannot be started.
   */
  static async connect(config: ServerConfig, options: ClientOptions = {}): Promise<Client> {
    const link = await Link.open(config, options, {
      toolsChanged: () => client.toolsChanged(),
      closed: () => client.#closed(),
      wanted: () => client.state === 'created',
    })
    const client = new Client(options, link)
    return client
  }

  private constructor(options: ClientOptions, link: Link) {
    this.name = options.name ?? 'server'
    this.#life = new Lifecycle(this.name)
    this.#options = options
    this.#link = link
    this.#tools = new ToolCache(() => link.fetchTools())
    this.#caller = new Caller({
      wire: () => link.wire,
      schemaOf: (tool) => this.#tools.last?.find(({ name }) => name === tool)?.outputSchema,
      explained: (...trouble) => this.#explained(...trouble),
      answers: options.answers,
    })
  }

  get state(): ClientState {
    return this.#life.state
  }

  /** The negotiated protocol revision; `undefined` before `initialize`. */
  get revision(): string | undefined {
    return this.#link.wire.getNegotiatedProtocolVersion()
  }

  /** Name, version and instructions that the server sent, if any. */
  get server(): Introduction | undefined {
    return this.#link.introduction
  }

  /** Capabilities that the server declared; `undefined` before `initialize`. */
  get capabilities(): Readonly<Record<string, unknown>> | undefined {
    return this.#link.wire.getServerCapabilities()
  }

  /** Process id of the server; `undefined` for an HTTP server. */
  get pid(): number | undefined {
    return this.#link.pid
  }

  /** The last lines that the server's process wrote to stderr; empty for an HTTP server. */
  get stderrTail(): string[] {
    return this.#link.stderrTail
  }

  /**
   * Negotiates the protocol revision and introduces the client to the server.
   *
   * @throws {StateError} when called twice or after `close`. @throws {ClientError} when the connection fails; the state
   * of the client is then `failed`, and the server's process has ended.
   */
  async initialize({ signal, timeoutMs = TIMEOUT_MS }: RequestOptions = {}): Promise<void> {
    if (this.state !== 'created' || this.#initializing) throw this.#life.notNow('created')
    this.#initializing = true
    try {
      await within(timeoutMs, signal, (limit) =>
        unlessAborted(this.#link.negotiate(timeoutMs), limit),
      )
      if (this.#closing) throw this.#life.notNow('created')
      this.#life.ready()
    } catch (error) {
      const failure = this.#explained(error, 'initialize', signal)
      if (this.#closing) throw this.#life.notNow('created')
      this.#fail(failure)
      await this.#link.drop()
      throw failure
    }
  }

  /** The server's tools, cached until the server's list expires or changes. @throws {ClientError} */
  async listTools(options: ListOptions = {}): Promise<readonly Tool[]> {
    this.#life.expectReady()
    const { signal, timeoutMs = TIMEOUT_MS, refresh } = options
    try {
      const list = this.#tools.get(refresh)
      return await within(timeoutMs, signal, (limit) => unlessAborted(list, limit))
    } catch (error) {
      throw this.#explained(error, 'tools/list', signal)
    }
  }

  /** The last list of tools, which may be outdated, without a request; `undefined` before the first list. */
  get knownTools(): readonly Tool[] | undefined {
    return this.#tools.last
  }

  /**
   * Calls a tool. If the call starts a job, waits for the job's end and returns the job's result.
   *
   * @throws {RpcError} {@link ProcessError} {@link ConnectionError} {@link CancelledError} {@link TimeoutError}
   * {@link ViolationError} {@link StateError}. A tool that fails does not throw: its result has `isError`.
   */
  async callTool(
    tool: string,
    args: Record<string, unknown> = {},
    options: CallOptions = {},
  ): Promise<ToolResult> {
    this.#life.expectReady()
    const call = { server: this.name, tool, revision: this.revision, url: this.#link.url }
    this.#link.stray = undefined
    return traced(call, (meta) => this.#caller.call(tool, args, options, meta))
  }

  /**
   * Sends any other request of the protocol, for example `resources/read`, and returns its result unvalidated.
   *
   * @throws {ClientError} as {@link callTool} does.
   */
  async request(
    method: string,
    params: Record<string, unknown> = {},
    options: ProgressOptions = {},
  ): Promise<Record<string, unknown>> {
    this.#life.expectReady()
    this.#link.stray = undefined
    return this.#caller.request(method, params, options)
  }

  /** Ends every pending call at once, then the server's process and all it started. Can be called at any time. */
  close(): Promise<void> {
    this.#life.close()
    return (this.#closing ??= this.#link.end())
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  /** Invalidates the cached list of tools; the server's `list_changed` notification does the same. */
  toolsChanged(): void {
    this.#tools.invalidate()
  }

  #closed(): void {
    if (this.state !== 'ready') return
    this.#fail(this.#gone() ?? new ConnectionError('connection closed'))
  }

  #fail(failure: ClientError): void {
    if (this.#life.fail(failure)) this.#options.onFailure?.(failure)
  }

  #gone(): ClientError | undefined {
    if (!this.#closing) return this.#link.failure
    // If the client failed before it was closed, the failure is the reason that the answer is missing.
    return this.#life.failure ?? new StateError(`client "${this.name}" was closed`)
  }

  #explained(error: unknown, what: string, signal: AbortSignal | undefined): ClientError {
    const gone = this.#gone()
    return explain(error, { what, name: this.name, signal, gone, stray: this.#link.stray })
  }
}
