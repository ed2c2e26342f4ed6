import type { Tool } from '@modelcontextprotocol/client'
import type { CallOptions, RequestOptions, ToolResult } from './tool-call.ts'
import { Client, type ClientOptions } from './client.ts'
import type { ServerConfig } from './config/server-config.ts'
import { type ClientError, DeniedToolError, StateError, UnknownServerError } from './errors.ts'

/** A tool and the name of its server. */
export interface ServerTool {
  server: string
  tool: Tool
}

/** The state of one server of a manager. */
export interface ServerStatus {
  name: string
  state: 'connecting' | 'ready' | 'failed'
  /** Why the server failed. */
  error?: ClientError
}

/** The client or the error of each server of a configuration, by name. */
export type Outcomes = Record<string, { client: Client } | { error: ClientError }>

/** Options of every client of the manager. `onStderr` and `onFailure` also receive the server's name. */
export type ManagerOptions = Omit<ClientOptions, 'name' | 'onFailure' | 'onStderr'> & {
  onStderr?: (server: string, text: string) => void
  onFailure?: (server: string, error: ClientError) => void
}

interface Entry {
  /** Settles when the server is ready or has failed. */
  ready: Promise<Client>
  /** Aborts connecting. */
  abort: AbortController
  client?: Client
  error?: ClientError
}

/** How long `allTools` waits for a server whose list is not cached. */
const LIST_TIMEOUT_MS = 10_000

/**
 * Manages any number of servers and their tools. Every method can be called at any time, also while others run.
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
   * Connects to a server and waits until it is ready. A server that fails here is removed again.
   *
   * @throws {StateError} when the name is in use or the manager is closed. @throws {ClientError} when connecting fails.
   */
  async connect(name: string, config: ServerConfig, options: RequestOptions = {}): Promise<Client> {
    if (this.#closed) throw new StateError('the manager is closed')
    if (this.#entries.has(name)) throw new StateError(`server "${name}" is connected already`)
    const deniedBefore = this.#denied.get(name)
    if (config.deniedTools) this.setDeniedTools(name, config.deniedTools)
    const abort = new AbortController()
    const signal = options.signal ? AbortSignal.any([options.signal, abort.signal]) : abort.signal
    const entry: Entry = { abort, ready: this.#open(name, config, { ...options, signal }) }
    this.#entries.set(name, entry)
    try {
      entry.client = await entry.ready
      return entry.client
    } catch (error) {
      // Keep the entry of another server that was connected under this name after a `disconnect`.
      if (this.#entries.get(name) === entry) {
        this.#entries.delete(name)
        if (config.deniedTools) this.setDeniedTools(name, deniedBefore ?? [])
      }
      throw error
    }
  }

  /** Connects to all servers at once. A server that fails does not affect the others: its error is in the result. */
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

  /** Closes a server, also while it is connecting, and forgets its denied tools. Does nothing if the name is unknown. */
  async disconnect(name: string): Promise<void> {
    const entry = this.#entries.get(name)
    if (!entry) return
    this.#entries.delete(name)
    this.#denied.delete(name)
    entry.abort.abort(new StateError(`server "${name}" was disconnected`))
    const client = await entry.ready.catch(() => undefined)
    await client?.close()
  }

  /**
   * Returns every tool that is not denied, in the order in which servers were connected. If a ready server does not
   * answer, its last known tools are used; servers that failed or still connect are left out. `timeoutMs` applies to
   * each server and defaults to 10_000 here.
   *
   * @throws the signal's reason.
   */
  async allTools(options: RequestOptions = {}): Promise<ServerTool[]> {
    const timeoutMs = options.timeoutMs ?? LIST_TIMEOUT_MS
    const lists = [...this.#entries].map(async ([server, { client }]) => {
      if (!client) return []
      // Use the last list of a server that does not answer but is still connected.
      const tools = await client
        .listTools({ ...options, timeoutMs })
        .catch(() => (client.state === 'ready' ? client.knownTools : undefined))
      return (tools ?? []).map((tool) => ({ server, tool }))
    })
    const all = (await Promise.all(lists)).flat()
    options.signal?.throwIfAborted()
    return all.filter(({ server, tool }) => !this.#isDenied(server, tool.name))
  }

  /** Returns the first tool of that name that is not denied. Options as in {@link allTools}. */
  async findTool(name: string, options: RequestOptions = {}): Promise<ServerTool | undefined> {
    return (await this.allTools(options)).find(({ tool }) => tool.name === name)
  }

  /**
   * Calls a tool of a server.
   *
   * @throws {UnknownServerError} {@link DeniedToolError}, and the errors of `Client.callTool`.
   */
  async callTool(
    server: string,
    tool: string,
    args: Record<string, unknown> = {},
    options: CallOptions = {},
  ): Promise<ToolResult> {
    // A gateway calls any tool through this one; it had the other name before.
    const calls = tool === 'use_tool' || tool === 'call_tool'
    const through = calls && typeof args.name === 'string' ? args.name : tool
    for (const name of [tool, through]) {
      if (!this.#isDenied(server, name)) continue
      throw new DeniedToolError(`tool "${name}" of server "${server}" is denied`)
    }
    const client = this.#entries.get(server)?.client
    if (!client) throw this.#unknown(server)
    return client.callTool(tool, args, options)
  }

  /**
   * Replaces the denied tools of a server: from now on these are not listed, found or called. Can be called before
   * `connect`; lasts until `disconnect`.
   */
  setDeniedTools(server: string, tools: Iterable<string>): void {
    this.#denied.set(server, new Set(tools))
  }

  /** The state of every server, in the order in which they were connected. */
  servers(): ServerStatus[] {
    return [...this.#entries].map(([name, { client, error }]) => {
      if (!client) return { name, state: 'connecting' }
      return client.state === 'ready'
        ? { name, state: 'ready' }
        : { name, state: 'failed', ...(error && { error }) }
    })
  }

  /** Closes every server; `connect` then throws a `StateError`. */
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
