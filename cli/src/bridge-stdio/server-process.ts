/** The process of an MCP server, started again when it ends. */
import { Client, type ClientError, ProcessError, type ProcessConfig } from 'ftl-client'
import { pause } from 'ftl-contract'

export interface ServerProcessOptions {
  /** For messages. */
  name: string
  /** Each piece the server writes to stderr. */
  onStderr: (text: string) => void
  /** The process exited by itself or failed to restart; the next attempt is in `againInMs` milliseconds. */
  onEnd: (error: ClientError, againInMs: number) => void
  /** The process was restarted. */
  onStart: (client: Client) => void
}

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000
/** A process that ran this long is not in a crash loop, so the next restart waits only the first pause. */
const STEADY_MS = 60_000
/** How long a request waits for a process that is starting. */
const PATIENCE_MS = 10_000

export class ServerProcess {
  readonly #config: ProcessConfig
  readonly #options: ServerProcessOptions
  readonly #stopped = new AbortController()
  #client: Client | undefined
  /** Settles when the process runs again or was stopped; never rejects. */
  #starting: Promise<void> = Promise.resolve()
  #startedAt = 0
  #pauseMs = FIRST_PAUSE_MS
  #lastFailure: ClientError | undefined

  /** @throws {ClientError} when it cannot be started or is not an MCP server, because a retry would not help. */
  static async start(config: ProcessConfig, options: ServerProcessOptions): Promise<ServerProcess> {
    const server = new ServerProcess(config, options)
    await server.#start()
    return server
  }

  private constructor(config: ProcessConfig, options: ServerProcessOptions) {
    this.#config = config
    this.#options = options
  }

  /** The client of the running process. @throws {ClientError} the last failure, if none runs after `PATIENCE_MS`. */
  async client(): Promise<Client> {
    if (this.#client) return this.#client
    const timer = new AbortController()
    const late = pause(PATIENCE_MS, timer.signal).catch(() => undefined)
    await Promise.race([this.#starting, late])
    timer.abort()
    if (this.#client) return this.#client
    throw this.#lastFailure ?? new ProcessError(`server "${this.#options.name}" does not run`)
  }

  /** Capabilities and server info from the last successful start. */
  get introduction(): Pick<Client, 'capabilities' | 'server'> | undefined {
    return this.#client ?? this.#known
  }
  #known: Pick<Client, 'capabilities' | 'server'> | undefined

  /** Ends the process and all it started, and does not restart it. */
  async stop(): Promise<void> {
    this.#stopped.abort()
    await this.#starting
    await this.#client?.close()
  }

  async #start(): Promise<void> {
    const { name, onStderr } = this.#options
    const client = await Client.connect(this.#config, {
      name,
      onStderr,
      onFailure: (error) => this.#ended(error),
    })
    try {
      await client.initialize()
    } catch (error) {
      await client.close()
      throw error
    }
    this.#startedAt = performance.now()
    this.#client = client
    const { capabilities, server } = client
    this.#known = { capabilities, server }
  }

  #ended(error: ClientError): void {
    const old = this.#client
    this.#client = undefined
    if (this.#stopped.signal.aborted) return
    if (performance.now() - this.#startedAt > STEADY_MS) this.#pauseMs = FIRST_PAUSE_MS
    this.#starting = (async () => {
      await old?.close()
      await this.#startAgain(error)
    })()
  }

  async #startAgain(first: ClientError): Promise<void> {
    for (let error = first; !this.#stopped.signal.aborted;) {
      this.#lastFailure = error
      this.#options.onEnd(error, this.#pauseMs)
      await pause(this.#pauseMs, this.#stopped.signal).catch(() => undefined)
      this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS)
      if (this.#stopped.signal.aborted) return
      try {
        await this.#start()
        if (this.#client) this.#options.onStart(this.#client)
        return
      } catch (again) {
        error = again as ClientError
      }
    }
  }
}
