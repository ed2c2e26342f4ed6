/** Sums by key of which half is forgotten after a time: who has had how much of something lately. */

/** Keys that are remembered; the one with the least is forgotten. A key comes from a request, so there can be many. */
const MAX_KEYS = 1000

interface Sum {
  value: number
  at: number
}

export class DecayingSums {
  readonly #halfLifeMs: number
  readonly #sums = new Map<string, Sum>()

  constructor(halfLifeMs: number) {
    this.#halfLifeMs = halfLifeMs
  }

  /** As it counts at `now`, in milliseconds of a clock that never goes back. */
  of(key: string, now: number): number {
    const sum = this.#sums.get(key)
    return sum === undefined ? 0 : sum.value * 2 ** ((sum.at - now) / this.#halfLifeMs)
  }

  /** @returns the sum with `value`. */
  add(key: string, value: number, now: number): number {
    const sum = this.of(key, now) + value
    this.#sums.set(key, { value: sum, at: now })
    if (this.#sums.size > MAX_KEYS) {
      const keys = [...this.#sums.keys()]
      this.#sums.delete(keys[this.least(keys, now)] ?? key)
    }
    return sum
  }

  /** The index of the first of the keys with the least sum. `keys` is not empty. */
  least(keys: readonly string[], now: number): number {
    let [index, least] = [0, Infinity]
    for (const [at, key] of keys.entries()) {
      const sum = this.of(key, now)
      if (sum < least) [index, least] = [at, sum]
    }
    return index
  }
}
