/** Random numbers that are the same in each run. */

/** Numbers from 0 (inclusive) to 1 (exclusive): Mulberry32. */
export function randomOf(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Times between events that do not know of each other. */
export const exponential = (random: () => number, mean: number): number =>
  -Math.log(1 - random()) * mean
