import type { IncomingBody } from './incoming-body.ts'

/** Bodies that are waited for at once. With 64 KiB each they take 64 MB at most. */
const MOST = 1000

/**
 * Bodies that have not come far enough for an instance.
 *
 * When there are too many, the one that was waited for longest is given up: honest clients send a small body at once,
 * so whoever holds the places for long pays, and newcomers are never refused.
 */
export class WaitingBodies {
  readonly #waiting = new Set<IncomingBody>()

  /** Waits until a body has come far enough, or has failed. */
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
