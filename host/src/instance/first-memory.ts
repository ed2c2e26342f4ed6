/** What the memory of a component's instances holds before their first request. */

/** Bytes that one thread keeps of one component besides its image. */
const MOST_KEPT = 1024 * 1024

/** Keys of the parts that begin at one byte: one for each size. */
const KEYS_FOR_EACH = MOST_KEPT + 1

/**
 * Gives parts of an image, which all threads share.
 *
 * A component writes to the same places in most of its requests. A copy of these that belongs to the thread is written
 * back in two thirds of the time that a view of shared memory takes.
 */
export class FirstMemory {
  /** The image. Memory behind it is zero. */
  readonly bytes: Uint8Array
  readonly #kept = new Map<number, Uint8Array>()
  #keptBytes = 0

  constructor(image: Uint8Array) {
    this.bytes = image
  }

  /** @returns the bytes from `from` to `to`, less where the image ends before. */
  part(from: number, to: number): Uint8Array {
    const size = to - from
    if (size > MOST_KEPT) return this.bytes.subarray(from, to)
    const key = from * KEYS_FOR_EACH + size
    const kept = this.#kept.get(key)
    if (kept) return kept
    const part = this.bytes.subarray(from, to)
    if (this.#keptBytes + part.length > MOST_KEPT) return part
    const copy = new Uint8Array(part)
    this.#kept.set(key, copy)
    this.#keptBytes += copy.length
    return copy
  }
}

/** By image, so that all instances of a component in this thread have the same one. */
const ofImages = new WeakMap<Uint8Array, FirstMemory>()

export function firstMemory(image: Uint8Array): FirstMemory {
  let first = ofImages.get(image)
  if (first === undefined) ofImages.set(image, (first = new FirstMemory(image)))
  return first
}
