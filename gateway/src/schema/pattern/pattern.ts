/**
 * A `pattern` of a schema, matched in linear time.
 *
 * The engine's `RegExp` is many times faster than anything written in JavaScript, but goes back and tries again: for
 * `^(a+)+$` thirty characters are enough to keep it busy for ever. So it is used only where the steps it can take for
 * this text, all ways counted, are few. For every other text there is an automaton.
 */
import { Automaton, type Spend } from './automaton.ts'
import { searchEffort } from './effort.ts'
import { type Node, NotLinear, parse } from './tree.ts'

/** Steps that `RegExp` may take for any text (a few milliseconds), and for each of its characters. */
const FEW_STEPS = 50_000
const FEW_STEPS_EACH = 16

/** Steps of `RegExp` that take as long as one unit of work. */
const STEPS_PER_UNIT = 8

// Without groups and choices, and at a fixed start one repetition at most: these need not be looked into.
const SIMPLE_AT_START = /^\^[^(|*+?{]*([*+?{][^(|*+?{]*)?$/
const SIMPLE = /^[^(|*+?{]*$/

/** Cannot be used as a pattern here. The message goes on from "its pattern …". */
export class UnusablePattern extends Error {}

export class Pattern {
  readonly #source: string
  readonly #unicode: boolean
  readonly #native: RegExp
  /** Most steps of `RegExp` for texts of up to 2 ** index characters. */
  readonly #efforts: number[] = []
  #tree?: Node
  #automaton?: Automaton

  /** @throws {UnusablePattern} */
  constructor(source: string) {
    // Authors write `\-` and `\_`, which the flag "u" refuses; but without it `\p{L}` means something else.
    const unicode = compile(source, 'u')
    const native = unicode ?? (/\\[pu]\{/i.test(source) ? undefined : compile(source))
    if (!native) throw new UnusablePattern('is not a regular expression here')
    this.#source = source
    this.#unicode = unicode !== undefined
    this.#native = native
  }

  /**
   * @param spend counts the work, and throws when it is too much.
   * @throws {UnusablePattern} when the text is too long for an expression that cannot be matched in linear time.
   */
  test(text: string, spend: Spend): boolean {
    const size = 32 - Math.clz32(text.length)
    const length = 2 ** size
    const effort = (this.#efforts[size] ??= this.#effort(length, spend))
    if (effort <= FEW_STEPS || effort <= length * FEW_STEPS_EACH) {
      spend(effort / STEPS_PER_UNIT)
      return this.#native.test(text)
    }
    return (this.#automaton ??= this.#build(spend)).test(text, spend)
  }

  #effort(length: number, spend: Spend): number {
    const source = this.#source
    if (SIMPLE_AT_START.test(source.replace(/\{\d+\}/g, ''))) return 2 * length + source.length
    if (SIMPLE.test(source)) return source.length * length
    spend(2 * source.length)
    return searchEffort((this.#tree ??= linear(() => parse(source, this.#unicode))), length)
  }

  #build(spend: Spend): Automaton {
    const source = this.#source
    spend(4 * source.length)
    const tree = (this.#tree ??= linear(() => parse(source, this.#unicode)))
    return linear(() => new Automaton(tree, this.#unicode))
  }
}

function linear<T>(make: () => T): T {
  try {
    return make()
  } catch (error) {
    if (!(error instanceof NotLinear)) throw error
    throw new UnusablePattern(`cannot be matched in linear time, because it ${error.message}`)
  }
}

function compile(source: string, flags?: string): RegExp | undefined {
  try {
    return new RegExp(source, flags)
  } catch {
    return
  }
}
