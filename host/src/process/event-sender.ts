import type { EventName, FromHost, HostEvent } from './messages.ts'

/** Events on their way to the command; further lines and requests are dropped, and counted. */
const MAX_UNSENT = 20_000

/** Sends what happens in one turn in one message. */
export class EventSender {
  readonly #send: (message: FromHost, sent: () => void) => void
  #events: HostEvent[] = []
  #unsent = 0
  #dropped = 0

  constructor(send: (message: FromHost, sent: () => void) => void) {
    this.#send = send
  }

  add(name: EventName, entry: unknown): void {
    // A command whose terminal stands still takes nothing: this process must not fill its memory.
    if (this.#unsent >= MAX_UNSENT && (name === 'onLog' || name === 'onRequest')) {
      this.#dropped++
      return
    }
    if (this.#dropped > 0) this.#tellDropped()
    this.#push([name, entry])
  }

  flush(): void {
    const events = this.#events
    if (events.length === 0) return
    this.#events = []
    this.#send({ type: 'events', events }, () => (this.#unsent -= events.length))
  }

  #tellDropped(): void {
    const message = `${this.#dropped} lines were dropped: the command did not take them`
    this.#dropped = 0
    this.#push(['onError', { component: 'host', message }])
  }

  #push(event: HostEvent): void {
    this.#unsent++
    if (this.#events.push(event) === 1) setImmediate(() => this.flush())
  }
}
