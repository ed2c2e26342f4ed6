import type { Tool } from '@modelcontextprotocol/client'
import type { CallOptions, RequestOptions, ToolResult } from './caller.ts'
import { Client, type ClientOptions } from './client.ts'
import type { ServerConfig } from './config/server-config.ts'
import { type ClientError, DeniedToolError, StateError, UnknownServerError } from './errors.ts'

/** A tool, and the server that has it. */
export interface ServerTool {
  server: string
  tool: Tool
}

/** How one server of a manager is doing. */
export interface ServerStatus {
  name: string
  state: 'connecting' | 'ready' | 'failed'
  /** Why it is not usable. */
  error?: ClientError
}

/** What became of each server of a configuration. */
export type Outcomes = Record<string, { client: Client } | { error: ClientError }>

/** Of every client of the manager; what is told of a server comes with its name. */
export type ManagerOptions = Omit<ClientOptions, 'name' | 'onFailure' | 'onStderr'> & {
  onStderr?: (server: string, text: string) => void
  onFailure?: (server: string, error: ClientError) => void
}

interface Entry {
  /** Settles when it is ready to be used. */
  ready: Promise<Client>
  /** Ends connecting. */
  abort: AbortController
  client?: Client
  error?: ClientError
}

/** How long `allTools` waits for a server whose list is not known. */
const LIST_TIMEOUT_MS = 10_000

/**
 * Any number of servers, and the tools of all of them. Every method may be called at any time, also while others run.
 *
 * @example
 * const manager = new Manager()
 * await manager.connectAll(parseConfig(text))
 * const found = await manager.findTool('read_file')
 */
export class Manager {
  readonly #options: ManagerOptions
  readonly #entries = new Map<string, Entry>()
  readonly #denied = new Map<string, ReadonlySet<string>>()
  #closed = false

  constructor(options: ManagerOptions = {}) {
    this.#options = options
  }

  /**
   * Starts a server and waits until it can be used. A server that fails here is not kept.
   *
   * @throws {StateError} when there is one of that name. @throws {ClientError} when it cannot be used.
   */
  async connect(name: string, config: ServerConfig, options: RequestOptions = {}): Promise<Client> {
    if (this.#closed) throw new StateError('the manager is closed')
    if (this.#entries.has(name)) throw new StateError(`server "${name}" is connected already`)
    if (config.deniedTools) this.setDeniedTools(name, config.deniedTools)
    const abort = new AbortController()
    const signal = options.signal ? AbortSignal.any([options.signal, abort.signal]) : abort.signal
    const entry: Entry = { abort, ready: this.#open(name, config, { ...options, signal }) }
    this.#entries.set(name, entry)
    try {
      entry.client = await entry.ready
      return entry.client
    } catch (error) {
      // Unless somebody has disconnected it meanwhile and connected another.
      if (this.#entries.get(name) === entry) this.#entries.delete(name)
      throw error
    }
  }

  /** Starts them all at once; one that fails keeps nobody waiting and costs only itself. */
  async connectAll(
    servers: Readonly<Record<string, ServerConfig>>,
    options: RequestOptions = {},
  ): Promise<Outcomes> {
    const outcomes = Object.entries(servers).map(async ([name, config]) => {
      try {
        return [name, { client: await this.connect(name, config, options) }] as const
      } catch (error) {
        return [name, { error: error as ClientError }] as const
      }
    })
    return Object.fromEntries<Outcomes[string]>(await Promise.all(outcomes))
  }

  /** Ends a server, also one that is still being connected. Does nothing when there is none of that name. */
  async disconnect(name: string): Promise<void> {
    const entry = this.#entries.get(name)
    if (!entry) return
    this.#entries.delete(name)
    entry.abort.abort(new StateError(`server "${name}" was disconnected`))
    const client = await entry.ready.catch(() => undefined)
    await client?.close()
  }

  /** Every tool that is not denied, with its server, in the order of connecting; of a server that fails, none. */
  async allTools(options: RequestOptions = {}): Promise<ServerTool[]> {
    const timeoutMs = options.timeoutMs ?? LIST_TIMEOUT_MS
    const lists = [...this.#entries].map(async ([server, { client }]) => {
      if (!client) return []
      // A server that cannot tell just now is believed to offer what it did.
      const tools = await client
        .listTools({ ...options, timeoutMs })
        .catch(() => (client.state === 'ready' ? client.knownTools : undefined))
      return (tools ?? []).map((tool) => ({ server, tool }))
    })
    const all = (await Promise.all(lists)).flat()
    options.signal?.throwIfAborted()
    return all.filter(({ server, tool }) => !this.#isDenied(server, tool.name))
  }

  /** The first tool of that name that is not denied. */
  async findTool(name: string, options: RequestOptions = {}): Promise<ServerTool | undefined> {
    return (await this.allTools(options)).find(({ tool }) => tool.name === name)
  }

  /**
   * Calls a tool of a server.
   *
   * @throws {UnknownServerError} {@link DeniedToolError}, and what `Client.callTool` throws.
   */
  async callTool(
    server: string,
    tool: string,
    args: Record<string, unknown> = {},
    options: CallOptions = {},
  ): Promise<ToolResult> {
    if (this.#isDenied(server, tool)) {
      throw new DeniedToolError(`tool "${tool}" of server "${server}" is denied`)
    }
    const client = this.#entries.get(server)?.client
    if (!client) throw this.#unknown(server)
    return client.callTool(tool, args, options)
  }

  /** Tools of a server that nobody is shown and nobody can call from now on, instead of those denied before. */
  setDeniedTools(server: string, tools: Iterable<string>): void {
    this.#denied.set(server, new Set(tools))
  }

  /** Every server, in the order of connecting. */
  servers(): ServerStatus[] {
    return [...this.#entries].map(([name, { client, error }]) => {
      if (!client) return { name, state: 'connecting' }
      return client.state === 'ready'
        ? { name, state: 'ready' }
        : { name, state: 'failed', ...(error && { error }) }
    })
  }

  /** Ends every server; nothing can be connected any more. */
  async close(): Promise<void> {
    this.#closed = true
    await Promise.all([...this.#entries.keys()].map((name) => this.disconnect(name)))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  async #open(name: string, config: ServerConfig, options: RequestOptions): Promise<Client> {
    const { onStderr, onFailure, ...rest } = this.#options
    const client = await Client.connect(config, {
      ...rest,
      name,
      ...(onStderr && { onStderr: (text) => onStderr(name, text) }),
      onFailure: (error) => {
        const entry = this.#entries.get(name)
        if (entry?.client === client) entry.error = error
        onFailure?.(name, error)
      },
    })
    try {
      await client.initialize(options)
      return client
    } catch (error) {
      await client.close()
      throw error
    }
  }

  #isDenied(server: string, tool: string): boolean {
    return this.#denied.get(server)?.has(tool) ?? false
  }

  #unknown(server: string): UnknownServerError {
    const known = [...this.#entries.keys()].join(', ') || 'none'
    return new UnknownServerError(`server "${server}" is not connected; connected: ${known}`)
  }
}
