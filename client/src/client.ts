import type { Tool } from '@modelcontextprotocol/client'
import {
  type CallOptions,
  Caller,
  type RequestOptions,
  TIMEOUT_MS,
  type ToolResult,
} from './caller.ts'
import { isHttp, type ServerConfig } from './config/server-config.ts'
import { type Connection, type ConnectionOptions, openConnection } from './connection.ts'
import { type ClientError, ConnectionError, ProcessError, StateError } from './errors.ts'
import { explain } from './explain.ts'
import { traced } from './telemetry.ts'
import { ToolCache } from './tool-cache.ts'
import { ProcessTransport } from './transport/process-transport.ts'
import { unlessAborted, within } from './wait.ts'

const QUOTED_CHARACTERS = 200

/** `failed`: the server could not be spoken with, or is gone; only `close` is left to do. */
export type ClientState = 'created' | 'ready' | 'failed' | 'closed'

export interface ClientOptions extends ConnectionOptions {
  /** The server is gone, without anybody having called `close`. */
  onFailure?: (error: ClientError) => void
}

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
  readonly #config: ServerConfig
  readonly #options: ClientOptions
  readonly #tools: ToolCache
  readonly #caller: Caller
  #connection: Connection
  #state: ClientState = 'created'
  #initializing = false
  #failure: ClientError | undefined
  #closing: Promise<void> | undefined
  #stray: string | undefined

  /**
   * Starts the server's process; of an HTTP server nothing is asked yet.
   *
   * @throws {ProcessError} when it cannot be started.
   */
  static async connect(config: ServerConfig, options: ClientOptions = {}): Promise<Client> {
    const protocol = config.protocol ?? 'auto'
    const changed = () => client.toolsChanged()
    const connection = await openConnection(config, protocol, options, changed)
    const client = new Client(config, options, connection)
    return client
  }

  private constructor(config: ServerConfig, options: ClientOptions, connection: Connection) {
    this.name = options.name ?? 'server'
    this.#config = config
    this.#options = options
    this.#connection = connection
    this.#tools = new ToolCache(() => this.#fetchTools())
    this.#caller = new Caller({
      wire: () => this.#connection.wire,
      schemaOf: (tool) => this.#tools.last?.find(({ name }) => name === tool)?.outputSchema,
      explained: (...trouble) => this.#explained(...trouble),
      answers: options.answers,
    })
  }

  get state(): ClientState {
    return this.#state
  }

  /** Revision of the protocol that is spoken; `undefined` before `initialize`. */
  get revision(): string | undefined {
    return this.#connection.wire.getNegotiatedProtocolVersion()
  }

  /** How the server introduced itself, if it did. */
  get server(): { name: string; version: string; instructions?: string } | undefined {
    const { wire } = this.#connection
    const version = wire.getServerVersion()
    const instructions = wire.getInstructions()
    return version && { ...version, ...(instructions !== undefined && { instructions }) }
  }

  /** Process id of the server; `undefined` for an HTTP server. */
  get pid(): number | undefined {
    const { transport } = this.#connection
    return transport instanceof ProcessTransport ? transport.pid : undefined
  }

  /** The last lines the server wrote to stderr. */
  get lastWords(): string[] {
    const { transport } = this.#connection
    return transport instanceof ProcessTransport ? transport.lastWords : []
  }

  /**
   * Finds out which revision the server speaks, and introduces itself.
   *
   * @throws {StateError} unless it is the first call. @throws {ClientError} when the server cannot be spoken with; the
   * client has failed then, and its process has ended.
   */
  async initialize({ signal, timeoutMs = TIMEOUT_MS }: RequestOptions = {}): Promise<void> {
    if (this.#state !== 'created' || this.#initializing) throw this.#notNow('created')
    this.#initializing = true
    try {
      await within(timeoutMs, signal, (limit) => unlessAborted(this.#negotiate(timeoutMs), limit))
      if (this.#closing) throw this.#notNow('created')
      this.#state = 'ready'
    } catch (error) {
      const failure = this.#explained(error, 'initialize', signal)
      if (this.#closing) throw this.#notNow('created')
      this.#fail(failure)
      await this.#connection.transport.close()
      throw failure
    }
  }

  /** The server's tools, as far as they are known to be up to date. */
  async listTools(options: ListOptions = {}): Promise<readonly Tool[]> {
    this.#expectReady()
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
    this.#expectReady()
    const url = isHttp(this.#config) ? new URL(this.#config.url) : undefined
    const call = { server: this.name, tool, revision: this.revision, url }
    this.#stray = undefined
    return traced(call, (meta) => this.#caller.call(tool, args, options, meta))
  }

  /** Ends every pending call at once, then the server's process and all it started. May be called at any time. */
  close(): Promise<void> {
    this.#state = 'closed'
    return (this.#closing ??= this.#end())
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  /** Drops the list of tools; the server's own notification does that. */
  toolsChanged(): void {
    this.#tools.invalidate()
  }

  async #end(): Promise<void> {
    const { wire, transport } = this.#connection
    await wire.close()
    // The official client knows its transport only from `initialize` on.
    await transport.close()
  }

  async #negotiate(timeout: number): Promise<void> {
    try {
      await this.#attach(timeout)
    } catch (error) {
      const { transport } = this.#connection
      const { protocol = 'auto' } = this.#config
      const died =
        transport instanceof ProcessTransport && transport.failure instanceof ProcessError
      if (!died || protocol !== 'auto' || this.#closing) throw error
      // Some older servers end when the first message is none they know; another process is asked as of old.
      const changed = () => this.toolsChanged()
      const connection = await openConnection(this.#config, 'legacy', this.#options, changed)
      this.#connection = connection
      if (this.#state !== 'created') {
        // Nobody waits any more, and what there was to close has been closed.
        await connection.transport.close()
        throw error
      }
      await this.#attach(timeout)
    }
  }

  async #attach(timeout: number): Promise<void> {
    const { wire, transport } = this.#connection
    wire.onerror = (error) => (this.#stray = error.message.slice(0, QUOTED_CHARACTERS))
    wire.onclose = () => {
      if (this.#state === 'ready')
        this.#fail(this.#gone() ?? new ConnectionError('connection closed'))
    }
    await wire.connect(transport, { timeout })
  }

  async #fetchTools() {
    const { wire } = this.#connection
    const { tools, ...rest } = await wire.listTools(undefined, { cacheMode: 'refresh' })
    const { ttlMs } = rest as { ttlMs?: unknown }
    return {
      tools,
      announced: wire.getServerCapabilities()?.tools?.listChanged === true,
      ...(typeof ttlMs === 'number' && { ttlMs }),
    }
  }

  #fail(failure: ClientError): void {
    if (this.#state === 'closed' || this.#state === 'failed') return
    const wasReady = this.#state === 'ready'
    this.#state = 'failed'
    this.#failure = failure
    if (wasReady) this.#options.onFailure?.(failure)
  }

  #gone(): ClientError | undefined {
    if (this.#closing) return new StateError(`client "${this.name}" was closed`)
    const { transport } = this.#connection
    return transport instanceof ProcessTransport ? transport.failure : undefined
  }

  #explained(error: unknown, what: string, signal: AbortSignal | undefined): ClientError {
    const gone = this.#gone()
    return explain(error, { what, name: this.name, signal, gone, stray: this.#stray })
  }

  #expectReady(): void {
    if (this.#state !== 'ready') throw this.#notNow('ready')
  }

  #notNow(wanted: ClientState): ClientError {
    if (this.#state === 'closed') return new StateError(`client "${this.name}" is closed`)
    if (this.#failure) return this.#failure
    return wanted === 'ready'
      ? new StateError(`client "${this.name}" is not initialized: call initialize() first`)
      : new StateError(`client "${this.name}" is initialized already`)
  }
}
