import type { Tool } from '@modelcontextprotocol/client'
import {
  type CallOptions,
  Caller,
  type ProgressOptions,
  type RequestOptions,
  TIMEOUT_MS,
  type ToolResult,
} from './caller.ts'
import type { ServerConfig } from './config/server-config.ts'
import type { ConnectionOptions } from './connection.ts'
import { type ClientError, ConnectionError, StateError } from './errors.ts'
import { explain } from './explain.ts'
import { type ClientState, Lifecycle } from './lifecycle.ts'
import { type Introduction, Link } from './link.ts'
import { traced } from './telemetry.ts'
import { ToolCache } from './tool-cache.ts'
import { unlessAborted, within } from './wait.ts'

/** Of one client, for as long as it lives. */
export interface ClientOptions extends ConnectionOptions {
  /** The server is gone, without anybody having called `close`. */
  onFailure?: (error: ClientError) => void
}

/** Of a list that may be known already. */
export interface ListOptions extends RequestOptions {
  /** Asks the server, also when the list that is known is still good. @default false */
  refresh?: boolean
}

/**
 * One MCP server: a process, or an address.
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
   * Starts the server's process; of an HTTP server nothing is asked yet.
   *
   * @throws {ProcessError} when it cannot be started.
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

  /** Revision of the protocol that is spoken; `undefined` before `initialize`. */
  get revision(): string | undefined {
    return this.#link.wire.getNegotiatedProtocolVersion()
  }

  /** How the server introduced itself, if it did. */
  get server(): Introduction | undefined {
    return this.#link.introduction
  }

  /** What the server said it offers; `undefined` before `initialize`. */
  get capabilities(): Readonly<Record<string, unknown>> | undefined {
    return this.#link.wire.getServerCapabilities()
  }

  /** Process id of the server; `undefined` for an HTTP server. */
  get pid(): number | undefined {
    return this.#link.pid
  }

  /** The last lines the server wrote to stderr. */
  get lastWords(): string[] {
    return this.#link.lastWords
  }

  /**
   * Finds out which revision the server speaks, and introduces itself.
   *
   * @throws {StateError} unless it is the first call. @throws {ClientError} when the server cannot be spoken with; the
   * client has failed then, and its process has ended.
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

  /** The server's tools, as far as they are known to be up to date. */
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

  /** The tools that were listed last, without asking anybody. */
  get knownTools(): readonly Tool[] | undefined {
    return this.#tools.last
  }

  /**
   * Calls a tool. A job that the call starts is followed to its end, so the result is always the tool's own.
   *
   * @throws {RpcError} {@link ProcessError} {@link ConnectionError} {@link CancelledError} {@link TimeoutError}
   * {@link ViolationError} {@link StateError}; a tool that failed is no error but a result with `isError`.
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
   * Any other request of the protocol, `resources/read` for example, with its result as it came.
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

  /** Ends every pending call at once, then the server's process and all it started. May be called at any time. */
  close(): Promise<void> {
    this.#life.close()
    return (this.#closing ??= this.#link.end())
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  /** Drops the list of tools; the server's own notification does that. */
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
    // Closed after it had failed: what took the answer is the failure.
    return this.#life.failure ?? new StateError(`client "${this.name}" was closed`)
  }

  #explained(error: unknown, what: string, signal: AbortSignal | undefined): ClientError {
    const gone = this.#gone()
    return explain(error, { what, name: this.name, signal, gone, stray: this.#link.stray })
  }
}
