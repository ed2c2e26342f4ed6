/** The worker threads of a pool: those that serve, and one that is ready to. */
/** The part of a worker thread a crew needs. */
export interface CrewMember {
  /** @throws {Error} what keeps it from serving. */
  readonly ready: Promise<unknown>
  readonly exited: Promise<void>
  /** Requests it works for. */
  readonly load: number
  /** Milliseconds since its last sign of life while a guest has its thread, otherwise 0. */
  silence(now: number): number
  close(): Promise<void>
}

export interface CrewOptions<Member extends CrewMember> {
  /** Workers that serve. */
  size: number
  /** Starts a thread. Without `warm` it makes no instances before it is asked to. */
  spawn: (options: { warm: boolean }) => Member
  /** A worker could not start; it is tried again. */
  onProblem: (message: string) => void
  /** Whether one more worker is ready to serve. @default true */
  spare?: boolean
}

const isIdle = (worker: CrewMember): boolean =>
  worker.load === 0 && worker.silence(performance.now()) === 0

/** Milliseconds before a worker is started again that could not start. */
const RESTART_DELAY_MS = 500

/** Milliseconds more workers than were asked for go on serving: starting one takes 0.1 s of a core. */
const REINFORCED_MS = 5000

export class Crew<Member extends CrewMember> {
  readonly #options: CrewOptions<Member>
  #size: number
  #serving: readonly Member[] = []
  /** They end what they have begun, and get nothing new. */
  #leaving: readonly Member[] = []
  /** Ready to serve: a start takes far longer than a request should wait. */
  #spare: Member | undefined
  #startsSpare = false
  /** Workers that will serve and do not yet. */
  #starting = 0
  #reinforcedAt = 0
  /** Every thread that has not ended, ready or not. */
  readonly #threads = new Set<Member>()
  readonly #waiting: (() => void)[] = []
  #closed = false

  constructor(options: CrewOptions<Member>) {
    this.#options = options
    this.#size = options.size
  }

  get serving(): readonly Member[] {
    return this.#serving
  }

  get leaving(): readonly Member[] {
    return this.#leaving
  }

  /** @throws {Error} what keeps a worker from serving. */
  async start(): Promise<void> {
    const started = Array.from({ length: this.#size }, () => this.#spawn({ warm: true }))
    try {
      await Promise.all(started.map((worker) => worker.ready))
    } catch (error) {
      this.#closed = true
      await Promise.all(started.map((worker) => worker.close()))
      throw error
    }
    this.#serving = started
    void this.#makeSpare()
  }

  forEach(tell: (worker: Member) => void): void {
    this.#threads.forEach(tell)
  }

  /** Settles once a worker serves, or none will. */
  async ready(): Promise<void> {
    while (this.#serving.length === 0 && this.#size > 0 && !this.#closed) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
  }

  /** Sets the number of workers that serve. Further ones go once they are without work; see {@link release}. */
  resize(size: number): void {
    this.#size = size
    void this.#fill()
    this.#wake()
  }

  /** A thread has ended. @returns when another has taken its place; `undefined` when it did not serve. */
  lost(worker: Member): Promise<void> | undefined {
    if (worker === this.#spare) {
      this.#spare = undefined
      void this.#makeSpare()
    }
    if (this.#leaving.includes(worker)) {
      this.#leaving = this.#leaving.filter((other) => other !== worker)
      return Promise.resolve()
    }
    // A worker that never served rejects `ready`, and the code that started it handles that.
    if (this.#closed || !this.#serving.includes(worker)) return undefined
    this.#serving = this.#serving.filter((other) => other !== worker)
    return this.#fill()
  }

  /**
   * Lets the spare serve as well, because every worker is busy with a guest that computes.
   *
   * @returns whether a spare was ready. At most twice the configured number of workers serve.
   */
  reinforce(): boolean {
    if (this.#closed || this.#serving.length >= 2 * this.#size) return false
    if (this.#spare === undefined) {
      void this.#makeSpare()
      return false
    }
    this.#reinforcedAt = performance.now()
    this.#serve(this.#spare)
    this.#spare = undefined
    void this.#makeSpare()
    return true
  }

  /**
   * Replaces a worker, which then only ends what it has begun.
   *
   * @returns whether it leaves. At most the configured number of workers leave at once.
   */
  dismiss(worker: Member): boolean {
    if (this.#closed || !this.#serving.includes(worker)) return false
    if (this.#leaving.length >= this.#size) return false
    this.#serving = this.#serving.filter((other) => other !== worker)
    this.#leaving = [...this.#leaving, worker]
    void this.#fill()
    return true
  }

  /** Ends idle workers that were replaced, and takes an idle one out of service if more serve than are configured. */
  release(): void {
    for (const worker of this.#leaving.filter(isIdle)) {
      this.#leaving = this.#leaving.filter((other) => other !== worker)
      void worker.close()
    }
    if (this.#serving.length <= this.#size) return
    if (performance.now() - this.#reinforcedAt < REINFORCED_MS) return
    const idle = this.#serving.findLast(isIdle)
    if (idle === undefined) return
    this.#serving = this.#serving.filter((worker) => worker !== idle)
    if (this.#spare === undefined && this.#options.spare !== false) this.#spare = idle
    else void idle.close()
  }

  /**
   * Ends the spare and the workers without work, because no new request will come. One worker stays, for a request that
   * is not at a worker yet.
   */
  endIdle(): void {
    this.#size = Math.min(this.#size, 1)
    const busy = this.#serving.filter(({ load }) => load > 0)
    const kept = busy.length > 0 ? busy : this.#serving.slice(0, 1)
    const ended = this.#serving.filter((worker) => !kept.includes(worker))
    if (this.#spare) ended.push(this.#spare)
    this.#serving = kept
    this.#spare = undefined
    for (const worker of ended) void worker.close()
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#wake()
    await Promise.all([...this.#threads].map((worker) => worker.close()))
  }

  // Called again while workers start, and each start takes longer than the calls: those that start count.
  async #fill(): Promise<void> {
    const missing = this.#size - this.#serving.length - this.#starting
    if (this.#closed || missing <= 0) return
    await Promise.all(Array.from({ length: missing }, () => this.#add()))
  }

  async #add(): Promise<void> {
    const spare = this.#spare
    this.#spare = undefined
    this.#starting++
    const worker = spare ?? (await this.#spawnReady())
    this.#starting--
    if (worker === undefined) return
    this.#serve(worker)
    void this.#makeSpare()
  }

  #serve(worker: Member): void {
    this.#serving = [...this.#serving, worker]
    this.#wake()
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake()
  }

  async #makeSpare(): Promise<void> {
    if (this.#options.spare === false) return
    if (this.#closed || this.#startsSpare || this.#spare) return
    this.#startsSpare = true
    const worker = await this.#spawnReady()
    this.#startsSpare = false
    if (this.#spare === undefined) this.#spare = worker
    else await worker?.close()
  }

  /** Tries until a worker can serve; `undefined` once the crew is closed. */
  async #spawnReady(): Promise<Member | undefined> {
    while (!this.#closed) {
      const worker = this.#spawn({ warm: false })
      try {
        await worker.ready
        if (!this.#closed) return worker
        await worker.close()
      } catch (error) {
        // Closing ends a worker that was still starting.
        if (this.#closed) return undefined
        this.#options.onProblem(error instanceof Error ? error.message : String(error))
        await new Promise((resolve) => setTimeout(resolve, RESTART_DELAY_MS))
      }
    }
    return undefined
  }

  #spawn(options: { warm: boolean }): Member {
    const thread = this.#options.spawn(options)
    this.#threads.add(thread)
    void thread.exited.then(() => this.#threads.delete(thread))
    return thread
  }
}
