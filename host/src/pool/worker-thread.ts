/** The main thread's side of one worker thread. */
import { Worker } from 'node:worker_threads'
import { auditMemory, AuditRing } from '../wire/audit-ring.ts'
import { CELL, CELLS, type GuestId } from '../wire/guest-cells.ts'
import type { BodyMessage, FromWorker, LogStream, ToWorker } from '../wire/messages.ts'
import { pack, unpack } from '../wire/packed.ts'
import { Claims, claimSlots } from '../wire/request-claims.ts'
import { logTaken } from '../worker/log-channel.ts'
import type { WorkerSettings } from '../worker/settings.ts'
import { ComputingTime } from './computing-time.ts'
import type { Flight, FlightWorker } from './flight.ts'
import { type CallMessage, InnerCall } from './inner-call.ts'
import { withoutCodeGeneration } from './code-generation.ts'
import type { LostThreads } from './lost-threads.ts'
import { watchEnd } from './overdue-end.ts'

export type SharedSettings = Omit<
  WorkerSettings,
  | 'cells'
  | 'claims'
  | 'logBacklog'
  | 'auditMemory'
  | 'warm'
  | 'counters'
  | 'ward'
  | 'wards'
  | 'stops'
>

export interface WorkerThreadOptions {
  settings: SharedSettings & Pick<WorkerSettings, 'ward' | 'wards' | 'stops'>
  /** Whether it makes instances before its first request. */
  warm: boolean
  counters: Int32Array | undefined
  /** URL of its program. @default the modules of this package */
  program: string | undefined
  /** Maximum bytes of its JavaScript heap. */
  maxWorkerHeap: number
  onLog: (entry: { component: string; stream: LogStream; line: string }) => void
  /** A gateway wrote a line of the audit log. @returns whether what it is about may go on. */
  onAudit: (line: string) => boolean
  /** The same of all lines that came with an answer. It is sent in any case. */
  onAnswered: (lines: readonly string[]) => void
  onProblem: (entry: { component: string; message: string }) => void
  /** It ended, or does not end after it was terminated. Called once, and not after {@link WorkerThread.close}. */
  onLost: (worker: WorkerThread, reason: string) => void
  /** A guest calls a component that runs on other workers. @param outer the request it works for */
  onCall: (call: InnerCall, message: CallMessage, outer: Flight) => void
  /** A guest has computed for long, or was ended for it. */
  onComputed: (worker: WorkerThread, message: Computed) => void
  /** Counts threads that do not end. */
  lost: LostThreads
}

/** What a worker reports of a guest that has computed for long. */
export type Computed = Extract<FromWorker, { type: 'turn' | 'exhausted' }>

/** Has the extension of this file: `.ts` in the sources, `.js` in the built package. */
const ENTRY = new URL(`../worker/entry${import.meta.url.slice(-3)}`, import.meta.url)

/** Milliseconds a worker has to end by itself. */
const CLOSE_MS = 500

export class WorkerThread implements FlightWorker {
  readonly flights = new Map<number, Flight>()
  /** Calls of its guests to components in other workers. */
  readonly #calls = new Map<number, InnerCall>()
  /** Resolves with the milliseconds until it could serve; rejects if it could not. */
  readonly ready: Promise<number>
  readonly exited: Promise<void>
  readonly #options: WorkerThreadOptions
  readonly #worker: Worker
  readonly #cells = new Int32Array(new SharedArrayBuffer(4 * CELLS))
  readonly #claimSlots = claimSlots()
  readonly claims = new Claims(this.#claimSlots)
  readonly #logBacklog = new Int32Array(new SharedArrayBuffer(4))
  /** Lines of its gateways, if the host keeps an audit log. */
  readonly #audit: AuditRing | undefined
  readonly #computing = new ComputingTime(() => this.#worker.cpuUsage())
  #beat = 0
  #aliveAt = performance.now()
  /** Requests were withdrawn since its last heartbeat. */
  #relieved = false
  #reason = ''
  #closing = false
  #terminated = false
  #preempted = false
  /** Settles when it has ended, or counts as lost. */
  readonly #over = Promise.withResolvers<void>()
  #left = false

  constructor(options: WorkerThreadOptions) {
    this.#options = options
    const memory = options.settings.audited ? auditMemory() : undefined
    if (memory) this.#audit = new AuditRing(memory)
    const settings: WorkerSettings = {
      ...options.settings,
      warm: options.warm,
      counters: options.counters,
      cells: this.#cells,
      claims: this.#claimSlots,
      logBacklog: this.#logBacklog,
      auditMemory: memory,
    }
    const started = performance.now()
    this.#worker = withoutCodeGeneration(
      () =>
        new Worker(options.program === undefined ? ENTRY : new URL(options.program), {
          workerData: settings,
          env: {},
          stdout: false,
          stderr: false,
          resourceLimits: { maxOldGenerationSizeMb: Math.ceil(options.maxWorkerHeap / 1024 ** 2) },
        }),
    )
    this.ready = new Promise((resolve, reject) => {
      this.#worker.on('message', (received: FromWorker) => {
        const message = unpack(received)
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
    // Code that awaits `ready` still gets the error. If nothing awaits it, the rejection must not end the process.
    this.ready.catch(() => {})
    this.#worker.on('error', (error) => {
      this.#reason = error instanceof Error ? error.message : String(error)
    })
  }

  get load(): number {
    return this.flights.size
  }

  post(message: ToWorker, transfer?: ArrayBuffer[]): void {
    this.#worker.postMessage(pack(message), transfer)
  }

  carry(flight: Flight): void {
    if (this.flights.size === 0 && !this.#relieved) this.#aliveAt = performance.now()
    this.flights.set(flight.id, flight)
  }

  /**
   * Withdraws requests that have not begun. Until its next heartbeat the worker counts as busy, even without
   * requests: what blocks it may not belong to any of them.
   */
  withdraw(which: (flight: Flight) => boolean = () => true): Flight[] {
    const withdrawn = [...this.flights.values()].filter(
      (flight) => which(flight) && flight.withdraw(),
    )
    for (const { id } of withdrawn) this.flights.delete(id)
    if (withdrawn.length > 0) this.#relieved = true
    return withdrawn
  }

  /** Milliseconds since the last heartbeat; 0 for an idle worker. */
  silence(now: number): number {
    const beat = Atomics.load(this.#cells, CELL.heartbeat)
    if (beat !== this.#beat || (this.flights.size === 0 && !this.#relieved)) {
      this.#beat = beat
      this.#aliveAt = now
      this.#relieved = false
    }
    return now - this.#aliveAt
  }

  /** Milliseconds of processor time of a silent worker since its last heartbeat; 0 until it is known. */
  computed(): number {
    return this.#computing.read(this.#beat, performance.now() - this.#aliveAt)
  }

  /** The guest that the thread runs, or ran last. A request of 0 means no guest. */
  get running(): GuestId {
    return {
      request: Atomics.load(this.#cells, CELL.request),
      component: Atomics.load(this.#cells, CELL.component),
      nth: Atomics.load(this.#cells, CELL.nth),
    }
  }

  /** Whether nothing that it has begun has changed anything: all of it can begin again elsewhere. */
  get isRepeatable(): boolean {
    return [...this.flights.values()].every(({ repeatable }) => repeatable)
  }

  /** It was ended although its guest may compute for longer: its requests begin again elsewhere. */
  get isPreempted(): boolean {
    return this.#preempted
  }

  /** Terminates it so that its requests can begin again elsewhere; `onLost` follows. See {@link isRepeatable}. */
  preempt(): void {
    this.#preempted = true
    this.kill('its requests begin again elsewhere')
  }

  /** Terminates it without waiting for its work; `onLost` follows. */
  kill(reason: string): void {
    if (this.#terminated) return
    this.#reason = reason
    this.#terminate()
  }

  /** Asks it to end, and terminates it after {@link CLOSE_MS}. Always settles: a thread that stays counts as lost. */
  async close(): Promise<void> {
    this.#closing = true
    this.post({ type: 'close' })
    const timer = setTimeout(() => this.#terminate(), CLOSE_MS)
    await this.#over.promise
    clearTimeout(timer)
  }

  // Only once: a thread that does not end the first time would not end if terminated again.
  #terminate(): void {
    if (this.#terminated) return
    this.#terminated = true
    void this.#worker.terminate()
    watchEnd(this.exited, () => {
      this.#options.lost.add(this, this.#reason || 'it was asked to close')
      this.#leave()
    })
  }

  /** Takes the lines of its gateways to the audit log. @param answered the request whose answer is sent now */
  takeLines(answered?: number): void {
    // Before each message of the worker: mostly there is no log.
    if (!this.#audit) return
    const together: string[] = []
    this.#audit.take(({ line, request }) => {
      if (request !== undefined) this.flights.get(request)?.audited(line)
      // Those of a request that is answered are written together, before its answer is sent.
      if (request === undefined || request !== answered) return this.#options.onAudit(line)
      together.push(line)
      return true
    })
    if (together.length > 0) this.#options.onAnswered(together)
  }

  #leave(): void {
    if (this.#left) return
    this.takeLines()
    this.#left = true
    this.#over.resolve()
    for (const call of [...this.#calls.values()]) call.left()
    if (!this.#closing) this.#options.onLost(this, this.#reason)
    // Ignores further messages of a thread that keeps running: its requests were repeated or failed.
    this.flights.clear()
  }

  #receive(message: Exclude<FromWorker, { type: 'ready' | 'unfit' }>): void {
    this.takeLines(message.type === 'response' ? message.id : undefined)
    if (message.type === 'log') {
      const { component, stream, line, request } = message
      logTaken(this.#logBacklog, line)
      if (request !== undefined) this.flights.get(request)?.printed(component, stream, line)
      this.#options.onLog({ component, stream, line })
    } else if (message.type === 'problem') {
      const { component, message: text, request } = message
      if (request !== undefined) this.flights.get(request)?.printed(component, 'host', text)
      this.#options.onProblem({ component, message: text })
    } else if (message.type === 'noted') {
      this.flights.get(message.request)?.noted(message.line)
    } else if (message.type === 'audit') {
      // Taken above.
    } else if (message.type === 'turn' || message.type === 'exhausted') {
      this.#options.onComputed(this, message)
    } else if (message.type === 'call') this.#call(message)
    else if (message.type === 'left') this.#calls.get(message.id)?.left()
    else if (isOfCall(message)) this.#calls.get(message.id)?.receive(message)
    else this.flights.get(message.id)?.receive(message)
  }

  #call(message: CallMessage): void {
    const { id } = message
    const outer = this.flights.get(message.request)
    const post = (answer: ToWorker, transfer?: ArrayBuffer[]) => this.post(answer, transfer)
    const call = new InnerCall(message, post, () => this.#calls.delete(id))
    this.#calls.set(id, call)
    // Its request was lost meanwhile: nothing waits for an answer.
    if (outer === undefined) call.left()
    else this.#options.onCall(call, message, outer)
  }
}

function isOfCall(message: { type: string; id: number }): message is BodyMessage {
  return message.id < 0
}
