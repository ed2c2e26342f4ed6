/**
 * Counts threads that were terminated and have not ended.
 *
 * V8 terminates a guest at its next interrupt check. Code that never reaches one (a long native call, an engine bug)
 * keeps running, uses a core and may allocate more and more memory. Only the end of the process stops it.
 */

/** Milliseconds between checks of the process's memory while a thread is lost. */
const LOOK_MS = 250

/** Bytes the process may grow after a thread was lost. More growth is attributed to that thread. */
const GROWTH_LIMIT = 2 * 1024 ** 3

/** Threads did not end. The host has freed everything else; only the end of the process frees them. */
export class LostThreadsError extends Error {
  override readonly name = 'LostThreadsError'
}

export interface LostThreadsOptions {
  /** Threads that may be lost at the same time. */
  max: number
  /** Called once. */
  onFatal: (error: LostThreadsError) => void
}

export class LostThreads {
  readonly #options: LostThreadsOptions
  readonly #reasons = new Map<object, string>()
  #timer: NodeJS.Timeout | undefined
  #bytesBefore = 0
  #isReported = false

  constructor(options: LostThreadsOptions) {
    this.#options = options
  }

  get count(): number {
    return this.#reasons.size
  }

  /** Counts a thread as lost until it ends. */
  add(thread: { exited: Promise<void> }, reason: string): void {
    if (this.count === 0) {
      this.#bytesBefore = process.memoryUsage.rss()
      this.#timer = setInterval(() => this.#look(), LOOK_MS).unref()
    }
    this.#reasons.set(thread, reason)
    void thread.exited.then(() => {
      this.#reasons.delete(thread)
      if (this.count === 0) clearInterval(this.#timer)
    })
    const { max } = this.#options
    if (this.count > max) this.#tell(`more than ${max}, which maxLostThreads sets`)
  }

  /** The text for error messages, with the reason of the last one. */
  describe(): string {
    const threads = this.count === 1 ? '1 thread does' : `${this.count} threads do`
    const [last = ''] = [...this.#reasons.values()].slice(-1)
    return `${threads} not end although the host ended them (the last one: ${last})`
  }

  #look(): void {
    const grown = process.memoryUsage.rss() - this.#bytesBefore
    if (grown > GROWTH_LIMIT) {
      this.#tell(`the process has grown by ${Math.round(grown / 1024 ** 2)} MiB since`)
    }
  }

  #tell(why: string): void {
    if (this.#isReported) return
    this.#isReported = true
    this.#options.onFatal(
      new LostThreadsError(`${this.describe()}: ${why}. The process has to end and start again.`),
    )
  }
}
