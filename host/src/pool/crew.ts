/**
 * The worker threads of a pool: those that serve, and one that is ready to.
 *
 * @module
 */
import type { WorkerThread } from './worker-thread.ts'

export interface CrewOptions {
  /** Workers that serve. */
  size: number
  /** Starts a thread. Without `warm` it makes no instances before it is asked to. */
  spawn: (options: { warm: boolean }) => WorkerThread
  /** A worker could not start; it is tried again. */
  onProblem: (message: string) => void
}

/** Milliseconds before a worker is started again that could not start. */
const RESTART_DELAY_MS = 500

/** Milliseconds more workers than were asked for go on serving: starting one takes 0.1 s of a core. */
const REINFORCED_MS = 5000

export class Crew {
  readonly #options: CrewOptions
  #serving: readonly WorkerThread[] = []
  /** Ready to serve: a start takes far longer than a request should wait. */
  #spare: WorkerThread | undefined
  #startsSpare = false
  #reinforcedAt = 0
  /** Every thread that has not ended, ready or not. */
  readonly #threads = new Set<WorkerThread>()
  readonly #waiting: (() => void)[] = []
  #closed = false

  constructor(options: CrewOptions) {
    this.#options = options
  }

  get serving(): readonly WorkerThread[] {
    return this.#serving
  }

  /** @throws {Error} what keeps a worker from serving. */
  async start(): Promise<void> {
    const started = Array.from({ length: this.#options.size }, () => this.#spawn({ warm: true }))
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

  forEach(tell: (worker: WorkerThread) => void): void {
    this.#threads.forEach(tell)
  }

  /** Settles once a worker serves, or the crew is closed. */
  async ready(): Promise<void> {
    while (this.#serving.length === 0 && !this.#closed) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
  }

  /** A thread has ended. @returns when another has taken its place; `undefined` when it did not serve. */
  lost(worker: WorkerThread): Promise<void> | undefined {
    if (worker === this.#spare) {
      this.#spare = undefined
      void this.#makeSpare()
    }
    // Whoever starts a worker learns from `ready` that it could not serve.
    if (this.#closed || !this.#serving.includes(worker)) return undefined
    this.#serving = this.#serving.filter((other) => other !== worker)
    return this.#fill()
  }

  /**
   * The spare serves, too: every worker is busy with a guest that computes.
   *
   * @returns whether there was one. There are at most twice as many workers as were asked for.
   */
  reinforce(): boolean {
    if (this.#closed || this.#serving.length >= 2 * this.#options.size) return false
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

  /** Takes a worker without work out of service again when there are more than were asked for. */
  release(): void {
    if (this.#serving.length <= this.#options.size) return
    if (performance.now() - this.#reinforcedAt < REINFORCED_MS) return
    const idle = this.#serving.findLast(
      (worker) => worker.load === 0 && worker.silence(performance.now()) === 0,
    )
    if (idle === undefined) return
    this.#serving = this.#serving.filter((worker) => worker !== idle)
    if (this.#spare === undefined) this.#spare = idle
    else void idle.close()
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const wake of this.#waiting.splice(0)) wake()
    await Promise.all([...this.#threads].map((worker) => worker.close()))
  }

  async #fill(): Promise<void> {
    if (this.#serving.length >= this.#options.size) return
    const spare = this.#spare
    this.#spare = undefined
    const worker = spare ?? (await this.#spawnReady())
    if (worker === undefined) return
    this.#serve(worker)
    void this.#makeSpare()
  }

  #serve(worker: WorkerThread): void {
    this.#serving = [...this.#serving, worker]
    for (const wake of this.#waiting.splice(0)) wake()
  }

  async #makeSpare(): Promise<void> {
    if (this.#closed || this.#startsSpare || this.#spare) return
    this.#startsSpare = true
    const worker = await this.#spawnReady()
    this.#startsSpare = false
    if (this.#spare === undefined) this.#spare = worker
    else await worker?.close()
  }

  /** Tries until a worker can serve; `undefined` once the crew is closed. */
  async #spawnReady(): Promise<WorkerThread | undefined> {
    while (!this.#closed) {
      const worker = this.#spawn({ warm: false })
      try {
        await worker.ready
        if (!this.#closed) return worker
        await worker.close()
      } catch (error) {
        this.#options.onProblem(error instanceof Error ? error.message : String(error))
        await new Promise((resolve) => setTimeout(resolve, RESTART_DELAY_MS))
      }
    }
    return undefined
  }

  #spawn(options: { warm: boolean }): WorkerThread {
    const thread = this.#options.spawn(options)
    this.#threads.add(thread)
    void thread.exited.then(() => this.#threads.delete(thread))
    return thread
  }
}
