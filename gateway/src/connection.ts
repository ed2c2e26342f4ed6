/** The client's end of one request, which all scopes of the request share. */
import type { Leaving } from 'ftl-http'

type Stop = (reason: unknown) => void

export class Connection implements Leaving {
  /** The response has begun. */
  answered = false
  #reason: Error | undefined
  #controller: AbortController | undefined
  readonly #stops = new Set<Stop>()

  /** Whether the client has disconnected. */
  get hasLeft(): boolean {
    return this.#reason !== undefined
  }

  /**
   * Aborted when the client has disconnected.
   *
   * Made when it is first asked for: it and a listener take a tenth of the work of answering a ping in a component.
   */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController()
      if (this.#reason) this.#controller.abort(this.#reason)
    }
    return this.#controller.signal
  }

  onLeave(stop: Stop): void {
    this.#stops.add(stop)
  }

  offLeave(stop: Stop): void {
    this.#stops.delete(stop)
  }

  /** The client has disconnected: ends the work that is done for it. */
  leave(): void {
    if (this.#reason) return
    const reason = new Error('the client has gone')
    this.#reason = reason
    this.#controller?.abort(reason)
    for (const stop of this.#stops) stop(reason)
  }
}
