import { isHttp, type ProtocolChoice, type ServerConfig } from './config/server-config.ts'
import { type Connection, type ConnectionOptions, openConnection } from './connection.ts'
import { type ClientError, ProcessError } from './errors.ts'
import type { FetchedTools } from './tool-cache.ts'
import { ProcessTransport } from './transport/process-transport.ts'
import type { Wire } from './wire.ts'

const QUOTED_CHARACTERS = 200

export interface Introduction {
  name: string
  version: string
  instructions?: string
}

export interface LinkEvents {
  /** The server reported that its list of tools has changed. */
  toolsChanged: () => void
  /** The connection has ended, from either side. */
  closed: () => void
  /** Whether the client still waits for the connection; `false` once it has failed or was closed. */
  wanted: () => boolean
}

/** The connection to one server; `negotiate` may replace it by another one. */
export class Link {
  readonly #config: ServerConfig
  readonly #options: ConnectionOptions
  readonly #events: LinkEvents
  #connection: Connection
  /** The server's last message that fits no request; it may be a missing answer. */
  stray: string | undefined

  /** Starts the server's process. Sends nothing to an HTTP server yet. @throws {ProcessError} */
  static async open(
    config: ServerConfig,
    options: ConnectionOptions,
    events: LinkEvents,
  ): Promise<Link> {
    const { protocol = 'auto' } = config
    const connection = await openConnection(config, protocol, options, events.toolsChanged)
    return new Link(config, options, events, connection)
  }

  private constructor(
    config: ServerConfig,
    options: ConnectionOptions,
    events: LinkEvents,
    connection: Connection,
  ) {
    this.#config = config
    this.#options = options
    this.#events = events
    this.#connection = connection
  }

  get wire(): Wire {
    return this.#connection.wire
  }

  /** Address of an HTTP server. */
  get url(): URL | undefined {
    return isHttp(this.#config) ? new URL(this.#config.url) : undefined
  }

  get #process(): ProcessTransport | undefined {
    const { transport } = this.#connection
    return transport instanceof ProcessTransport ? transport : undefined
  }

  /** Name, version and instructions that the server sent, if any. */
  get introduction(): Introduction | undefined {
    const version = this.wire.getServerVersion()
    const instructions = this.wire.getInstructions()
    return version && { ...version, ...(instructions !== undefined && { instructions }) }
  }

  /** Fetches all pages of the server's tools, and how long they are valid. */
  async fetchTools(): Promise<FetchedTools> {
    const { wire } = this
    const { tools, ...rest } = await wire.listTools(undefined, { cacheMode: 'refresh' })
    const { ttlMs } = rest as { ttlMs?: unknown }
    return {
      tools,
      announced: wire.getServerCapabilities()?.tools?.listChanged === true,
      ...(typeof ttlMs === 'number' && { ttlMs }),
    }
  }

  /** Process id of the server. */
  get pid(): number | undefined {
    return this.#process?.pid
  }

  get stderrTail(): string[] {
    return this.#process?.stderrTail ?? []
  }

  /** Why the server's process ended, if it did. */
  get failure(): ClientError | undefined {
    return this.#process?.failure
  }

  /** Negotiates the protocol revision. */
  async negotiate(timeout: number): Promise<void> {
    try {
      await this.#attach(timeout)
      if (!this.#isSlow) return
    } catch (error) {
      const { protocol = 'auto' } = this.#config
      const died = this.failure instanceof ProcessError
      // Some older servers exit on an unknown first message.
      if (died && protocol === 'auto' && this.#events.wanted()) {
        return this.#attachAnew('legacy', timeout, error as Error)
      }
      if (!this.#isSlow) throw error
    }
    // The server has the newest revision, but started so slowly that the client had already begun the older handshake.
    await this.drop()
    await this.#attachAnew('2026-07-28', timeout)
  }

  get #isSlow(): boolean {
    return this.wire.discoveredLate && this.#events.wanted()
  }

  /** Starts another process. @throws `reason` when the client failed or was closed meanwhile. */
  async #attachAnew(
    protocol: ProtocolChoice,
    timeout: number,
    reason = new Error(),
  ): Promise<void> {
    const { toolsChanged } = this.#events
    this.#connection = await openConnection(this.#config, protocol, this.#options, toolsChanged)
    if (!this.#events.wanted()) {
      // This ended only the first process.
      await this.drop()
      throw reason
    }
    await this.#attach(timeout)
  }

  /** Ends every pending request at once, then the server's process and all it started. */
  async end(): Promise<void> {
    await this.wire.close()
    // Before `negotiate`, the official client has no transport that it could close.
    await this.drop()
  }

  /** Ends the server's process or closes the HTTP transport. */
  async drop(): Promise<void> {
    await this.#connection.transport.close()
  }

  async #attach(timeout: number): Promise<void> {
    const { wire, transport } = this.#connection
    wire.onerror = (error) => (this.stray = error.message.slice(0, QUOTED_CHARACTERS))
    wire.onclose = () => this.#events.closed()
    await wire.connect(transport, { timeout })
  }
}
