/** What counts besides the words: how many of them a tool has, and what else its component offers. */

/** The scores of the tools for a word, or for all words. */
interface Scored {
  readonly values: Float64Array
  /** The tools with a score. */
  readonly places: readonly number[]
}

/** How much a score is reduced by words that the tool lacks: 0 not, 1 in proportion. */
const COVERAGE = 0.3
/** How much the other tools of a component count, on average: "rename a file" is about files. */
const NEIGHBOURS = 0.3
/** Added to their number, so that a component with one or two tools gains nothing by them. */
const FEW = 5

/** Which share of a query each tool has, where a rare word is a larger part of it. */
export class Coverage {
  readonly #had: Float64Array
  #all = 0

  constructor(size: number) {
    this.#had = new Float64Array(size)
  }

  /** @param found of one word: the first `own` tools have it, the others have one of its meaning. */
  add({ places, own, weight }: Scored & { own: number; weight: number }, related: number): void {
    this.#all += weight
    for (let at = 0; at < places.length; at++) {
      const place = places[at] as number
      this.#had[place] = (this.#had[place] as number) + (at < own ? weight : weight * related)
    }
  }

  of(place: number): number {
    return this.#all === 0 ? 1 : (this.#had[place] as number) / this.#all
  }
}

/** @param isPermitted leaves out tools: they do not count as others of a component either. @default none */
export function ranked(
  components: readonly (readonly [component: string, tools: number])[],
  { values, places }: Scored,
  had: Coverage,
  isPermitted?: (place: number) => boolean,
): Float64Array {
  const result = new Float64Array(values.length)
  const neighbours = new Float64Array(values.length)
  let start = 0
  for (const [, tools] of components) {
    let sum = 0
    let number = 0
    for (let place = start; place < start + tools; place++) {
      sum += values[place] as number
      if (!isPermitted || isPermitted(place)) number++
    }
    for (let place = start; place < start + tools; place++) {
      neighbours[place] = (sum - (values[place] as number)) / (number - 1 + FEW)
    }
    start += tools
  }
  for (const place of places) {
    const own = (values[place] as number) * had.of(place) ** COVERAGE
    result[place] = own + NEIGHBOURS * (neighbours[place] as number)
  }
  return result
}
