import type { IncomingBody } from './incoming-body.ts'

/** Bodies that may wait at the same time. With 64 KiB each they take 64 MB at most. */
const MOST = 1000

/**
 * Bodies of which too little has arrived to start an instance.
 *
 * When there are too many, the one that has waited longest is given up: honest clients send a small body at once, so
 * this hits the clients that occupy places for long, and new requests are never refused.
 */
export class WaitingBodies {
  readonly #waiting = new Set<IncomingBody>()

  /** Waits until enough of a body has arrived, or it has failed. */
  async wait(body: IncomingBody): Promise<void> {
    if (this.#waiting.size >= MOST) {
      const [longest] = this.#waiting
      if (longest) this.#waiting.delete(longest)
      longest?.giveUp()
    }
    this.#waiting.add(body)
    await body.begins()
    this.#waiting.delete(body)
  }
}
