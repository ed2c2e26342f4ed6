/**
 * Matches an expression in a time that grows linearly with the text, whatever the expression: all ways are followed
 * at once, one character after the other, and what was found of a set of ways is kept for the next time.
 *
 * Assertions that look around are searched in the whole text first, each once: ahead from the end of the text to its
 * start, behind from the start to the end.
 *
 * @see https://swtch.com/~rsc/regexp/regexp1.html
 * @see https://doi.org/10.1145/3656431 about assertions
 */
import { type Node, NotLinear } from './tree.ts'

/** Where a way goes on: after one character, or at once when a place is as it should be. */
interface Step {
  /** Index of the character's expression. */
  one?: number
  /** Bits that the place must and must not have. */
  has: number
  lacks: number
  next: number[]
}

/** The ways that are followed at a place. */
interface Ways {
  readonly steps: readonly number[]
  /** By the bits of the place. */
  readonly at: Map<number, Reached>
}

interface Reached {
  matches: boolean
  /** Steps that wait for a character. */
  waiting: number[]
  /** By the class of that character. */
  after: (Ways | undefined)[]
}

interface Search {
  start: number
  ahead: boolean
  bit: number
}

// What a place is like, as bits.
const START = 1
const END = 2
const BOUNDARY = 4
const FIRST_LOOK = 8

/** Assertions that look around in one expression; their bits have to fit into a number. */
const MAX_LOOKS = 24

/** Parts of one expression, each as often as it is repeated: `(ab){1,500}` has fifteen hundred. */
const MAX_PARTS = 3_000

/** Sets of ways, and characters, that are remembered; then all are forgotten. */
const MAX_KNOWN = 1_000

/** Step 0 is where every way ends. */
const FINISH = 0

/** Counts work: one unit is about a quarter of a microsecond in a component. Throws when it is too much. */
export type Spend = (units: number) => void

export class Automaton {
  readonly #steps: Step[] = [{ has: 0, lacks: 0, next: [] }]
  readonly #ones = new Map<string, number>()
  readonly #tests: RegExp[] = []
  /** Each before those that ask for its bit. */
  readonly #searches: Search[] = []
  readonly #unicode: boolean
  #usesBoundary = false
  #parts = 0
  /** Which expressions match a character, by its class. */
  #classes: string[] = []
  readonly #classOf = new Map<string, number>()
  #known = new Map<string, Ways>()

  /** @param unicode the expression has the flag `u`. @throws {NotLinear} */
  constructor(tree: Node, unicode: boolean) {
    this.#unicode = unicode
    const start = this.#build(tree, FINISH, true)
    this.#searches.push({ start, ahead: false, bit: 0 })
  }

  test(text: string, spend: Spend): boolean {
    const characters = this.#unicode ? [...text] : text.split('')
    const { length } = characters
    spend(length)
    const classes = new Uint32Array(length)
    for (let index = 0; index < length; index++) {
      const character = characters[index] as string
      classes[index] = this.#classOf.get(character) ?? this.#classify(character, spend)
    }
    const places = new Uint32Array(length + 1)
    places[0] = START
    places[length] = (places[length] ?? 0) | END
    if (this.#usesBoundary) this.#markBoundaries(classes, places)
    return this.#searches.some((search) => this.#search(search, classes, places, spend))
  }

  /** @returns whether a match was found; a search for an assertion marks all its places instead. */
  #search(
    { start, ahead, bit }: Search,
    classes: Uint32Array,
    places: Uint32Array,
    spend: Spend,
  ): boolean {
    const { length } = classes
    let ways = this.#ways([start])
    for (let index = 0; index <= length; index++) {
      const place = ahead ? length - index : index
      const bits = places[place] as number
      const reached = ways.at.get(bits) ?? this.#reach(ways, bits, spend)
      if (reached.matches) {
        if (bit === 0) return true
        places[place] = bits | bit
      }
      if (index === length) break
      const character = classes[ahead ? place - 1 : place] as number
      ways = reached.after[character] ?? this.#follow(reached, character, start, spend)
    }
    spend(length)
    return false
  }

  /** Goes on from every step that needs no character. */
  #reach(ways: Ways, bits: number, spend: Spend): Reached {
    const reached: Reached = { matches: false, waiting: [], after: [] }
    const seen = new Set(ways.steps)
    for (const index of seen) {
      const { one, has, lacks, next } = this.#steps[index] as Step
      if (index === FINISH) reached.matches = true
      else if (one !== undefined) reached.waiting.push(index)
      else if ((bits & has) === has && (bits & lacks) === 0) for (const step of next) seen.add(step)
    }
    spend(4 * seen.size + 8)
    ways.at.set(bits, reached)
    return reached
  }

  /** Goes on with a character; a match may also begin at every place. */
  #follow(reached: Reached, character: number, start: number, spend: Spend): Ways {
    const fits = this.#classes[character] as string
    const next = [start]
    for (const index of reached.waiting) {
      const { one, next: after } = this.#steps[index] as Step
      if (fits[one as number] === '1') next.push(...after)
    }
    spend(4 * reached.waiting.length + 8)
    return (reached.after[character] = this.#ways(next))
  }

  #ways(next: number[]): Ways {
    const steps = [...new Set(next)].sort((a, b) => a - b)
    const key = steps.join()
    let ways = this.#known.get(key)
    if (!ways) {
      if (this.#known.size >= MAX_KNOWN) this.#known = new Map()
      this.#known.set(key, (ways = { steps, at: new Map() }))
    }
    return ways
  }

  #classify(character: string, spend: Spend): number {
    spend(4 * this.#tests.length + this.#classes.length / 8 + 8)
    const fits = this.#tests.map((test) => (test.test(character) ? '1' : '0')).join('')
    let index = this.#classes.indexOf(fits)
    if (index < 0) index = this.#classes.push(fits) - 1
    if (this.#classOf.size >= MAX_KNOWN) this.#classOf.clear()
    this.#classOf.set(character, index)
    return index
  }

  #markBoundaries(classes: Uint32Array, places: Uint32Array): void {
    const word = this.#one('\\w')
    const isWord = (index: number) => this.#classes[classes[index] ?? -1]?.[word] === '1'
    for (let place = 0; place <= classes.length; place++) {
      if (isWord(place - 1) !== isWord(place)) places[place] = (places[place] ?? 0) | BOUNDARY
    }
  }

  /** @returns the step with which `node` begins, when `next` comes after it. */
  #build(node: Node, next: number, forwards: boolean): number {
    if (++this.#parts > MAX_PARTS) throw new NotLinear('has too many parts or repetitions')
    switch (node.kind) {
      case 'one':
        return this.#step({ one: this.#one(node.source), has: 0, lacks: 0, next: [next] })
      case 'all':
        return (forwards ? node.parts.toReversed() : node.parts).reduce(
          (after, part) => this.#build(part, after, forwards),
          next,
        )
      case 'any':
        return this.#fork(node.parts.map((part) => this.#build(part, next, forwards)))
      case 'repeat':
        return this.#repeat(node, next, forwards)
      case 'place': {
        const { place } = node
        if (place === '^' || place === '$')
          return this.#when(place === '^' ? START : END, true, next)
        this.#usesBoundary = true
        this.#one('\\w')
        return this.#when(BOUNDARY, place === '\\b', next)
      }
      case 'look': {
        const { body, ahead, wanted } = node
        const start = this.#build(body, FINISH, !ahead)
        if (this.#searches.length === MAX_LOOKS) throw new NotLinear('has too many assertions')
        const bit = FIRST_LOOK << this.#searches.length
        this.#searches.push({ start, ahead, bit })
        return this.#when(bit, wanted, next)
      }
      case 'back':
        throw new NotLinear('refers back to a group')
    }
  }

  #repeat(
    { body, min, max }: { body: Node; min: number; max: number },
    next: number,
    forwards: boolean,
  ): number {
    let start = next
    if (max === Infinity) {
      const ends = [next]
      start = this.#fork(ends)
      ends.push(this.#build(body, start, forwards))
    } else {
      for (let round = min; round < max; round++) {
        start = this.#fork([this.#build(body, start, forwards), next])
      }
    }
    for (let round = 0; round < min; round++) start = this.#build(body, start, forwards)
    return start
  }

  #when(bit: number, wanted: boolean, next: number): number {
    return this.#step({ has: wanted ? bit : 0, lacks: wanted ? 0 : bit, next: [next] })
  }

  #fork(next: number[]): number {
    return this.#step({ has: 0, lacks: 0, next })
  }

  #step(step: Step): number {
    return this.#steps.push(step) - 1
  }

  #one(source: string): number {
    let index = this.#ones.get(source)
    if (index === undefined) {
      index = this.#tests.push(new RegExp(`^(?:${source})$`, this.#unicode ? 'u' : '')) - 1
      this.#ones.set(source, index)
    }
    return index
  }
}
