/** Frees the memory of guests that are not used again. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Bytes of discarded guest memory that trigger a collection at once. */
const COLLECT_AT = 256 * 1024 * 1024

/** Bytes that trigger a collection once nothing was discarded for {@link QUIET_MS}; fewer are not worth one. */
const COLLECT_QUIET = 32 * 1024 * 1024

const QUIET_MS = 3000

/** Of a thread to get hold of the collector while others try, too. */
const MOST_ATTEMPTS = 20

/**
 * Collects the memory of discarded guests in time.
 *
 * The garbage collector sees a small object, not the 128 MB of memory behind it. Without this, dozens of guests that
 * use up their limit and fail stay in memory.
 */
export class Discarded {
  readonly #collect: () => void
  #bytes = 0
  #quiet: NodeJS.Timeout | undefined

  /** @param collect @default a full collection, some 10 ms of this thread */
  constructor(collect: () => void = collectAll) {
    this.#collect = collect
  }

  /** Counts a discarded instance's memory. */
  add(bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes < COLLECT_AT) {
      if (this.#bytes >= COLLECT_QUIET) this.#whenQuiet()
      return
    }
    this.#bytes = 0
    // Not now: the caller still holds a reference to the instance.
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
 * Node exposes the collector only if started with a flag, but a new context uses the current value of that flag. All threads
 * share the flag, so another one may take it back in between.
 */
export function collectAll(): void {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('globalThis.gc') as (() => void) | undefined
    setFlagsFromString('--no-expose-gc')
    if (collect) return collect()
  }
}

/** Of this thread. */
export const discarded = new Discarded()
