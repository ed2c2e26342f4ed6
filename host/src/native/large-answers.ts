/**
 * Requests of a native component that read large answers take turns: all of a thread share its heap, and parsed JSON takes ten
 * times its bytes. Until its turn, an answer is kept as bytes, which are not in the heap. The parts of a stream
 * count as they are read: beyond the room, only the oldest is read on.
 */

/** Smaller ones are not counted. Bytes. */
export const SMALL = 256 * 1024

/** Bytes of answers of requests that have not ended, with the default `--max-worker-heap`: three answers of 8 MiB. */
const ROOM = 24 * 1024 * 1024

/**
 * Milliseconds after its last large answer, or part of one, until a request no longer counts: it waits for a slow server, and the
 * others must not wait for that one.
 */
const LONGEST = 10_000

interface Waiting {
  turn: object
  bytes: number
  go: () => void
}

/** Turns of one kind of requests. Those that wait for requests of another kind need turns of their own. */
export class LargeAnswers {
  #free = ROOM
  /** The bytes of each that counts, the oldest first. */
  readonly #held = new Map<object, number>()
  readonly #waiting = new Set<Waiting>()

  /** The turn of one request. */
  turn(): Turn {
    const turn = {}
    let hasEnded = false
    let timer: NodeJS.Timeout | undefined
    return {
      enter: (bytes) => {
        if (bytes <= SMALL || hasEnded) return undefined
        const counts = () => {
          clearTimeout(timer)
          timer = setTimeout(() => this.#leave(turn), LONGEST).unref()
        }
        if (this.#fits(turn, bytes)) {
          this.#take(turn, bytes)
          counts()
          return undefined
        }
        return new Promise((resolve) => {
          const go = () => {
            counts()
            resolve()
          }
          this.#waiting.add({ turn, bytes, go })
        })
      },
      end: () => {
        hasEnded = true
        clearTimeout(timer)
        for (const each of this.#waiting) if (each.turn === turn) this.#waiting.delete(each)
        this.#leave(turn)
      },
    }
  }

  /** Whether it need not wait for others. The oldest never does, so that there is always one that goes on. */
  #fits(turn: object, bytes: number): boolean {
    return this.#isOldest(turn) || (this.#waiting.size === 0 && bytes <= this.#free)
  }

  #isOldest(turn: object): boolean {
    const [oldest = turn] = this.#held.keys()
    return turn === oldest
  }

  #take(turn: object, bytes: number): void {
    this.#free -= bytes
    this.#held.set(turn, (this.#held.get(turn) ?? 0) + bytes)
  }

  #leave(turn: object): void {
    this.#free += this.#held.get(turn) ?? 0
    this.#held.delete(turn)
    this.#next()
  }

  /** In the order in which they came, so that large ones have their turn, too. */
  #next(): void {
    let isFull = false
    for (const each of this.#waiting) {
      const { turn, bytes, go } = each
      if (this.#isOldest(turn) || (!isFull && bytes <= this.#free)) {
        this.#waiting.delete(each)
        this.#take(turn, bytes)
        go()
      } else isFull = true
    }
  }
}

export interface Turn {
  /** @returns a promise only if an answer of so many bytes has to wait. */
  enter(bytes: number): Promise<void> | undefined
  /** Once, when the request ends. */
  end(): void
}
