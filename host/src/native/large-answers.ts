/**
 * Requests of a native component that read large answers take turns: all of a thread share its heap, and parsed JSON takes ten
 * times its bytes. Until its turn, an answer is kept as bytes, which are not in the heap.
 */

/** Smaller ones are not counted. Bytes. */
const SMALL = 256 * 1024

/** Requests that have read a large answer and have not ended, with answers of at most 8 MiB and the default `--max-worker-heap`. */
const AT_ONCE = 3

/** Turns of one kind of requests. Those that wait for requests of another kind need turns of their own. */
export class LargeAnswers {
  #free = AT_ONCE
  readonly #waiting = new Set<() => void>()

  /** The turn of one request: it waits for it at most once, so that none that has it waits for another one. */
  turn(): Turn {
    let state: 'none' | 'has' | 'ended' = 'none'
    let waiting: Promise<void> | undefined
    let go: (() => void) | undefined
    return {
      enter: (bytes) => {
        if (bytes <= SMALL || state !== 'none') return undefined
        if (waiting) return waiting
        if (this.#free > 0) {
          this.#free--
          state = 'has'
          return undefined
        }
        waiting = new Promise((resolve) => {
          go = () => {
            state = 'has'
            resolve()
          }
          this.#waiting.add(go)
        })
        return waiting
      },
      end: () => {
        if (state === 'has') this.#leave()
        else if (go) this.#waiting.delete(go)
        state = 'ended'
      },
    }
  }

  #leave(): void {
    const [next] = this.#waiting
    if (next === undefined) {
      this.#free++
      return
    }
    this.#waiting.delete(next)
    next()
  }
}

export interface Turn {
  /** @returns a promise only if an answer of so many bytes has to wait. */
  enter(bytes: number): Promise<void> | undefined
  /** Once, when the request ends. */
  end(): void
}
