/**
 * Which of the two threads a request belongs to until it begins, in memory that both see.
 *
 * A worker whose guest computes cannot be asked to give its waiting requests back, so the main thread takes them: the
 * thread that takes a request first has it.
 */

/** More than the requests a worker ever has waiting; two that share a slot only lose the right to be moved. */
const SLOTS = 4096

export class Claims {
  readonly #slots: Int32Array

  /** @param slots shared by both threads; see {@link claimSlots}. */
  constructor(slots: Int32Array) {
    this.#slots = slots
  }

  /** Offers a request to the worker. @returns whether it can be taken back; only then the worker has to take it. */
  offer(id: number): boolean {
    return Atomics.compareExchange(this.#slots, id % SLOTS, 0, markOf(id)) === 0
  }

  /** Takes an offered request. @returns whether the other thread had not taken it before. */
  take(id: number): boolean {
    return Atomics.compareExchange(this.#slots, id % SLOTS, markOf(id), 0) === markOf(id)
  }
}

export const claimSlots = (): Int32Array =>
  new Int32Array(new SharedArrayBuffer(SLOTS * Int32Array.BYTES_PER_ELEMENT))

/** Never 0, which marks a free slot. */
const markOf = (id: number): number => (id % 0x7fffffff) + 1
