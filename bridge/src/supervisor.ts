/** Starts workerd again when it has ended, with growing pauses while it keeps ending. */
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Launched {
  url: string
  /** Process id of workerd, where it is known. */
  pid?: number | undefined
  close(): Promise<void>
}

/** `ended`: workerd is gone and will be started again. `down`: that failed, and is repeated. `running`: it runs again. */
export type BridgeStatus = 'ended' | 'down' | 'running'

export interface SupervisorOptions {
  /** Starts workerd. @param port 0 takes a free port; a restart gets the port of the first start. */
  launch: (port: number) => Promise<Launched>
  port: number
  /** @param reason why a start failed; only for `down`, which is reported once. */
  onStatus: (status: BridgeStatus, reason?: string) => void
}

/** Milliseconds after which a run counts as stable, so that the next restart does not wait. */
const STABLE_MS = 10_000
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000
/** Pause before a connection that workerd has closed is opened again, in milliseconds. */
const RECONNECT_MS = 250

export class Supervisor {
  readonly url: string
  readonly #options: SupervisorOptions
  readonly #closing = new AbortController()
  readonly #watching: Promise<void>
  #launched: Launched
  #startedAt = performance.now()
  /** Short runs and failed starts since the last stable run. */
  #failures = 0

  private constructor(options: SupervisorOptions, launched: Launched) {
    this.#options = options
    this.#launched = launched
    this.url = launched.url
    this.#watching = this.#watch(this.#closing.signal)
  }

  /** @throws what the first start throws. Later failures are reported as `down`. */
  static async start(options: SupervisorOptions): Promise<Supervisor> {
    return new Supervisor(options, await options.launch(options.port))
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#watching
    await this.#launched.close()
  }

  async #watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await untilEnded(this.#launched, signal)
      if (!signal.aborted) await this.#restart(signal)
    }
  }

  async #restart(signal: AbortSignal): Promise<void> {
    const { launch, onStatus } = this.#options
    onStatus('ended')
    if (performance.now() - this.#startedAt >= STABLE_MS) this.#failures = 0
    // Releases what is left of the run that has ended.
    await this.#launched.close().catch(() => {})
    for (let isDown = false; ;) {
      await pause(this.#pauseMs(), signal)
      if (signal.aborted) return
      this.#failures++
      try {
        this.#launched = await launch(Number(new URL(this.url).port))
        this.#startedAt = performance.now()
        return onStatus('running')
      } catch (error) {
        if (!isDown) onStatus('down', error instanceof Error ? error.message : String(error))
        isDown = true
      }
    }
  }

  #pauseMs(): number {
    if (this.#failures === 0) return 0
    return Math.min(FIRST_PAUSE_MS * 2 ** (this.#failures - 1), LONGEST_PAUSE_MS)
  }
}

/**
 * Waits until workerd has ended. Its end closes the connection, so no request is needed to see it. Another program may
 * have taken the port by then, so the process is looked at, too.
 */
async function untilEnded({ url, pid }: Launched, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await stayConnected(url, signal))) {
    await pause(RECONNECT_MS, signal)
    if (pid !== undefined && !isRunning(pid)) return
  }
}

function isRunning(pid: number): boolean {
  try {
    // Signal 0 only checks.
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** @returns whether there was a connection; settles when it has ended. */
function stayConnected(url: string, signal: AbortSignal): Promise<boolean> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    let connected = false
    const socket = connect(Number(port), hostname.replace(/^\[(.*)\]$/, '$1'))
    const stop = () => socket.destroy()
    signal.addEventListener('abort', stop, { once: true })
    socket.on('connect', () => (connected = true))
    // `close` follows.
    socket.on('error', () => {})
    socket.on('close', () => {
      signal.removeEventListener('abort', stop)
      resolve(connected)
    })
    socket.resume()
    // The bridge must not keep the process running.
    socket.unref()
  })
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal, ref: false }).catch(() => {})
}
