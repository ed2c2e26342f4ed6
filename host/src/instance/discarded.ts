/**
 * Memory of guests that are not used again.
 *
 * @module
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Bytes of guests' memory that may wait for the collector. */
const COLLECT_AT = 256 * 1024 * 1024

/** Bytes that are collected once nothing was let go for {@link QUIET_MS}: fewer are not worth a collection. */
const COLLECT_QUIET = 32 * 1024 * 1024

const QUIET_MS = 3000

/**
 * Has what guests leave behind collected in time.
 *
 * The collector sees a small object and not the 128 MB of memory behind it: left alone, guests that take all they may
 * and fail are kept by the dozen.
 */
export class Discarded {
  readonly #collect: () => void
  #bytes = 0
  #quiet: NodeJS.Timeout | undefined

  /** @param collect @default a full collection, some 10 ms of this thread */
  constructor(collect: () => void = collectAll) {
    this.#collect = collect
  }

  /** An instance was let go. */
  add(bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes < COLLECT_AT) {
      if (this.#bytes >= COLLECT_QUIET) this.#whenQuiet()
      return
    }
    this.#bytes = 0
    // Later: whoever lets go of it still has it in its hands.
    setImmediate(this.#collect)
  }

  #whenQuiet(): void {
    if (this.#quiet) {
      this.#quiet.refresh()
      return
    }
    this.#quiet = setTimeout(() => {
      this.#quiet = undefined
      if (this.#bytes === 0) return
      this.#bytes = 0
      this.#collect()
    }, QUIET_MS).unref()
  }
}

/**
 * A full collection of this thread, some 10 ms.
 *
 * Node offers the collector to those only who start it with a flag; new contexts follow the flag as it is then.
 */
export function collectAll(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  setFlagsFromString('--no-expose-gc')
  collect()
}

/** Of this thread. */
export const discarded = new Discarded()
