/**
 * One worker thread, seen from the main thread.
 *
 * @module
 */
import { Worker } from 'node:worker_threads'
import { CELL, CELLS, type Seat } from '../instance/turns.ts'
import type { LogStream } from '../instance/services.ts'
import { Claims, claimSlots } from '../wire/claims.ts'
import type { FromWorker, ToWorker } from '../wire/messages.ts'
import { logTaken } from '../worker/log-channel.ts'
import type { WorkerSettings } from '../worker/settings.ts'
import { ComputingTime } from './computing-time.ts'
import type { Flight, FlightWorker } from './flight.ts'
import { withoutCodeGeneration } from './code-generation.ts'
import type { LostThreads } from './lost-threads.ts'

export type SharedSettings = Omit<
  WorkerSettings,
  'cells' | 'claims' | 'logBacklog' | 'warm' | 'counters'
>

export interface WorkerThreadOptions {
  settings: SharedSettings
  /** Whether it makes instances before it is asked to. */
  warm: boolean
  counters: Int32Array | undefined
  /** Bytes of its JavaScript heap. */
  maxWorkerHeap: number
  onLog: (entry: { component: string; stream: LogStream; line: string }) => void
  onProblem: (entry: { component: string; message: string }) => void
  /** It ended and was not asked to, or it was ended and does not end. Called once. */
  onLost: (worker: WorkerThread, reason: string) => void
  /** Counts those that do not end. */
  lost: LostThreads
}

/** The entry lies beside its folder's other files, also where the package is built to JavaScript. */
const ENTRY = new URL(`../worker/entry${import.meta.url.slice(-3)}`, import.meta.url)

/** Milliseconds a worker has to end on its own. */
const CLOSE_MS = 500

/** Milliseconds a thread has to end after it was terminated; mostly it takes 4. Then it counts as lost. */
const TERMINATE_MS = 2000

export class WorkerThread implements FlightWorker {
  readonly flights = new Map<number, Flight>()
  /** Milliseconds it took from its start until it could serve. */
  readonly ready: Promise<number>
  readonly exited: Promise<void>
  readonly #options: WorkerThreadOptions
  readonly #worker: Worker
  readonly #cells = new Int32Array(new SharedArrayBuffer(4 * CELLS))
  readonly #claimSlots = claimSlots()
  readonly claims = new Claims(this.#claimSlots)
  readonly #logBacklog = new Int32Array(new SharedArrayBuffer(4))
  readonly #computing = new ComputingTime(() => this.#worker.cpuUsage())
  #beat = 0
  #aliveAt = performance.now()
  /** Requests were taken back since its last sign of life. */
  #relieved = false
  #reason = ''
  #closing = false
  #terminated = false
  /** Settles when it has ended, or counts as lost. */
  readonly #over = Promise.withResolvers<void>()
  #left = false

  constructor(options: WorkerThreadOptions) {
    this.#options = options
    const settings: WorkerSettings = {
      ...options.settings,
      warm: options.warm,
      counters: options.counters,
      cells: this.#cells,
      claims: this.#claimSlots,
      logBacklog: this.#logBacklog,
    }
    const started = performance.now()
    this.#worker = withoutCodeGeneration(
      () =>
        new Worker(ENTRY, {
          workerData: settings,
          env: {},
          stdout: false,
          stderr: false,
          resourceLimits: { maxOldGenerationSizeMb: Math.ceil(options.maxWorkerHeap / 1024 ** 2) },
        }),
    )
    this.ready = new Promise((resolve, reject) => {
      this.#worker.on('message', (message: FromWorker) => {
        if (message.type === 'ready') resolve(performance.now() - started)
        else if (message.type === 'unfit') reject(new Error(message.message))
        else this.#receive(message)
      })
      this.#worker.once('exit', () => {
        reject(new Error(`a worker ended while it started${this.#reason && `: ${this.#reason}`}`))
        this.#leave()
      })
    })
    this.exited = new Promise((resolve) => this.#worker.once('exit', () => resolve()))
    // Whoever waits hears of it; without anyone it must not end the process.
    this.ready.catch(() => {})
    this.#worker.on('error', (error) => {
      this.#reason = error instanceof Error ? error.message : String(error)
    })
  }

  get load(): number {
    return this.flights.size
  }

  post(message: ToWorker, transfer?: ArrayBuffer[]): void {
    this.#worker.postMessage(message, transfer)
  }

  carry(flight: Flight): void {
    if (this.flights.size === 0 && !this.#relieved) this.#aliveAt = performance.now()
    this.flights.set(flight.id, flight)
  }

  /**
   * Takes requests back that have not begun. Until the worker notices, it counts as one that has work: what keeps it
   * may not belong to any request.
   */
  withdraw(): Flight[] {
    const withdrawn = [...this.flights.values()].filter((flight) => flight.withdraw())
    for (const { id } of withdrawn) this.flights.delete(id)
    if (withdrawn.length > 0) this.#relieved = true
    return withdrawn
  }

  /** Milliseconds since the last sign of life; 0 for a worker without work. */
  silence(now: number): number {
    const beat = Atomics.load(this.#cells, CELL.heartbeat)
    if (beat !== this.#beat || (this.flights.size === 0 && !this.#relieved)) {
      this.#beat = beat
      this.#aliveAt = now
      this.#relieved = false
    }
    return now - this.#aliveAt
  }

  /** Milliseconds of processor time since the last sign of life; 0 until it is known. For a silent worker. */
  computed(): number {
    return this.#computing.read(this.#beat, performance.now() - this.#aliveAt)
  }

  /** Who has, or last had, the thread. A root of 0 is nobody. */
  get running(): Seat {
    return {
      root: Atomics.load(this.#cells, CELL.root),
      component: Atomics.load(this.#cells, CELL.component),
      nth: Atomics.load(this.#cells, CELL.nth),
    }
  }

  /** Ends it in the middle of whatever it does; `onLost` follows. */
  kill(reason: string): void {
    if (this.#terminated) return
    this.#reason = reason
    this.#terminate()
  }

  /** Ends it: politely, and then not. Settles in any case: a thread that does not end counts as lost. */
  async close(): Promise<void> {
    this.#closing = true
    this.post({ type: 'close' })
    const timer = setTimeout(() => this.#terminate(), CLOSE_MS)
    await this.#over.promise
    clearTimeout(timer)
  }

  // Once: a thread that does not end at the first time does not end at the hundredth.
  #terminate(): void {
    if (this.#terminated) return
    this.#terminated = true
    void this.#worker.terminate()
    const timer = setTimeout(() => {
      this.#options.lost.add(this, this.#reason || 'it was asked to close')
      this.#leave()
    }, TERMINATE_MS)
    void this.exited.then(() => clearTimeout(timer))
  }

  #leave(): void {
    if (this.#left) return
    this.#left = true
    this.#over.resolve()
    if (!this.#closing) this.#options.onLost(this, this.#reason)
    // A thread that goes on says nothing any more: its requests are answered by others.
    this.flights.clear()
  }

  #receive(message: Exclude<FromWorker, { type: 'ready' | 'unfit' }>): void {
    if (message.type === 'log') {
      const { component, stream, line } = message
      logTaken(this.#logBacklog, line)
      this.#options.onLog({ component, stream, line })
    } else if (message.type === 'problem') {
      const { component, message: text } = message
      this.#options.onProblem({ component, message: text })
    } else this.flights.get(message.id)?.receive(message)
  }
}
