import type { LogStream } from '../instance/services.ts'
import type { FromWorker, Post } from '../wire/messages.ts'

/** Characters on their way to the main thread; a guest that prints without end would fill the process's memory. */
const BACKLOG_LIMIT = 1024 * 1024

/** Takes what guests print to the main thread, and drops what comes faster than it is taken. */
export class LogChannel {
  readonly #backlog: Int32Array
  readonly #post: Post<FromWorker>
  readonly #dropped = new Map<string, number>()

  /** @param backlog one number, shared with the main thread, which takes off what it has read. */
  constructor(backlog: Int32Array, post: Post<FromWorker>) {
    this.#backlog = backlog
    this.#post = post
  }

  write(component: string, stream: LogStream, line: string): void {
    const dropped = this.#dropped.get(component) ?? 0
    if (Atomics.load(this.#backlog, 0) > BACKLOG_LIMIT) {
      this.#dropped.set(component, dropped + 1)
      return
    }
    if (dropped > 0) {
      this.#dropped.delete(component)
      this.#send(component, 'stderr', `${dropped} lines were dropped: they came too fast`)
    }
    this.#send(component, stream, line)
  }

  #send(component: string, stream: LogStream, line: string): void {
    Atomics.add(this.#backlog, 0, line.length)
    this.#post({ type: 'log', component, stream, line })
  }
}

/** The main thread has taken a line. */
export function logTaken(backlog: Int32Array, line: string): void {
  Atomics.sub(backlog, 0, line.length)
}
