import { isHttp, type ServerConfig } from './config/server-config.ts'
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
  /** The server says that its list of tools is another one now. */
  toolsChanged: () => void
  /** The connection is gone, whoever ended it. */
  closed: () => void
  /** Whether anybody still waits for the link to be made. */
  wanted: () => boolean
}

/** The way to one server: a connection, which finding out the revision may replace by another. */
export class Link {
  readonly #config: ServerConfig
  readonly #options: ConnectionOptions
  readonly #events: LinkEvents
  #connection: Connection
  /** Something the server sent last that belongs to nothing; it may be the answer somebody waits for. */
  stray: string | undefined

  /** Starts the server's process; of an HTTP server nothing is asked yet. @throws {ProcessError} */
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

  /** How the server introduced itself, if it did. */
  get introduction(): Introduction | undefined {
    const version = this.wire.getServerVersion()
    const instructions = this.wire.getInstructions()
    return version && { ...version, ...(instructions !== undefined && { instructions }) }
  }

  /** All pages of the server's tools, and how long they are good. */
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

  /** Of the server's process. */
  get pid(): number | undefined {
    return this.#process?.pid
  }

  get lastWords(): string[] {
    return this.#process?.lastWords ?? []
  }

  /** Why the server's process is gone, when it is. */
  get failure(): ClientError | undefined {
    return this.#process?.failure
  }

  /** Finds out which revision the server speaks. */
  async negotiate(timeout: number): Promise<void> {
    try {
      await this.#attach(timeout)
    } catch (error) {
      const { protocol = 'auto' } = this.#config
      const died = this.failure instanceof ProcessError
      if (!died || protocol !== 'auto' || !this.#events.wanted()) throw error
      // Some older servers end when the first message is none they know; another process is asked as of old.
      const { toolsChanged } = this.#events
      this.#connection = await openConnection(this.#config, 'legacy', this.#options, toolsChanged)
      if (!this.#events.wanted()) {
        // What there was to close has been closed.
        await this.drop()
        throw error
      }
      await this.#attach(timeout)
    }
  }

  /** Ends every pending request at once, then the server's process and all it started. */
  async end(): Promise<void> {
    await this.wire.close()
    // The official client knows its transport only from `negotiate` on.
    await this.drop()
  }

  /** Ends what there is of the server. */
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
