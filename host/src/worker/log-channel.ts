import type { FromWorker, LogStream, Post } from '../wire/messages.ts'

/** Characters on their way to the main thread; a guest that prints without end would fill the process's memory. */
const BACKLOG_LIMIT = 1024 * 1024

/** What a line counts besides its length: a message between threads takes as much when it is empty. */
const LINE_BYTES = 64

/** Bytes a second of messages about one component: one that is refused a request a million times fills no log. */
const PROBLEM_RATE = 64 * 1024

/** A message about a component is cut after so many characters: it may quote what a guest wrote. */
const MAX_PROBLEM = 4096

/** Sends the output of guests to the main thread. Drops output that comes faster than the main thread reads it, or than the limit. */
export class LogChannel {
  readonly #backlog: Int32Array
  readonly #post: Post<FromWorker>
  readonly #rate: number
  readonly #now: () => number
  readonly #outputs = new Map<string, Flow>()
  readonly #problems = new Map<string, Flow>()

  /**
   * @param backlog bytes that the main thread has not read yet, in memory that both threads share.
   * @param bytesPerSecond of one component's output in this thread.
   */
  constructor(
    backlog: Int32Array,
    post: Post<FromWorker>,
    bytesPerSecond = Infinity,
    now: () => number = () => performance.now(),
  ) {
    this.#backlog = backlog
    this.#post = post
    this.#rate = bytesPerSecond
    this.#now = now
  }

  /** @param request it was printed for. */
  write(component: string, stream: LogStream, line: string, request?: number): void {
    const flow = this.#flow(this.#outputs, component, this.#rate)
    const full = Atomics.load(this.#backlog, 0) > BACKLOG_LIMIT
    if (full || !flow.meter.takes(line.length + LINE_BYTES, this.#now())) {
      flow.dropped++
      return
    }
    if (flow.dropped > 0) {
      const dropped = `${flow.dropped} lines were dropped: they came too fast`
      this.#send(component, 'stderr', dropped, request)
      flow.dropped = 0
    }
    this.#send(component, stream, line, request)
  }

  /** A gateway reports about a request that is watched. */
  noted(line: string, request: number): void {
    this.#post({ type: 'noted', line, request })
  }

  /** Tells the operator about a component. @param request that it is about. */
  problem(component: string, message: string, request?: number): void {
    const flow = this.#flow(this.#problems, component, PROBLEM_RATE)
    const text = message.length > MAX_PROBLEM ? `${message.slice(0, MAX_PROBLEM)}…` : message
    if (!flow.meter.takes(text.length + LINE_BYTES, this.#now())) {
      flow.dropped++
      return
    }
    if (flow.dropped > 0) {
      const dropped = `${flow.dropped} messages like this one were dropped: they came too fast`
      this.#post({ type: 'problem', component, message: dropped, request })
      flow.dropped = 0
    }
    this.#post({ type: 'problem', component, message: text, request })
  }

  #flow(flows: Map<string, Flow>, component: string, rate: number): Flow {
    let flow = flows.get(component)
    if (flow === undefined) {
      flow = { meter: new Meter(rate, this.#now()), dropped: 0 }
      flows.set(component, flow)
    }
    return flow
  }

  #send(component: string, stream: LogStream, line: string, request: number | undefined): void {
    Atomics.add(this.#backlog, 0, line.length + LINE_BYTES)
    this.#post({ type: 'log', component, stream, line, request })
  }
}

interface Flow {
  readonly meter: Meter
  /** Lines that did not pass since the last one that did. */
  dropped: number
}

/** The main thread has taken a line. */
export function logTaken(backlog: Int32Array, line: string): void {
  Atomics.sub(backlog, 0, line.length + LINE_BYTES)
}

/** Burst allowed after a quiet time, as seconds' worth of bytes. */
const BURST_SECONDS = 4

/** Seconds' worth of bytes that must be free before output resumes, so that few lines report dropped ones. */
const RESUME_SECONDS = 0.25

/** Limits the bytes per second. */
class Meter {
  readonly #bytesPerSecond: number
  #free: number
  #at: number
  #stopped = false

  constructor(bytesPerSecond: number, now: number) {
    this.#bytesPerSecond = bytesPerSecond
    this.#free = bytesPerSecond * BURST_SECONDS
    this.#at = now
  }

  /**
   * Whether `bytes` may pass; if so, they are counted.
   *
   * @param now milliseconds of a monotonic clock.
   */
  takes(bytes: number, now: number): boolean {
    const rate = this.#bytesPerSecond
    if (rate === Infinity) return true
    this.#free = Math.min(rate * BURST_SECONDS, this.#free + ((now - this.#at) / 1000) * rate)
    this.#at = now
    if (this.#free < (this.#stopped ? rate * RESUME_SECONDS : 0)) {
      this.#stopped = true
      return false
    }
    this.#stopped = false
    this.#free -= bytes
    return true
  }
}
