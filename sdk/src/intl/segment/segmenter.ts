import { named } from '../text/builtin.ts'
import { readMatcher, resolveLocale, supportedLocalesOf } from '../text/locales.ts'
import { objectOptions, stringOption, toText } from '../text/options.ts'

/** https://www.unicode.org/reports/tr29/#Grapheme_Cluster_Boundary_Rules: flags, syllables, emoji, and marks after them. */
const EXTENDED = String.raw`[\p{M}\p{EMod}\u200c\u200d]`
const CLUSTER = String.raw`\r\n|[\p{Cc}\p{Zl}\p{Zp}]|(?:\p{RI}\p{RI}|[\u1100-\u115f]*(?:[\uac00-\ud7a3]|[\u1160-\u11a7]+)[\u1160-\u11ff]*|[\u1100-\u115f]+|\p{ExtPict}(?:${EXTENDED}*\u200d\p{ExtPict})*|[^])${EXTENDED}*`
/** Letters with what may stand inside a word, numbers with what may stand inside a number, and spaces together. */
const LETTER = String.raw`[\p{L}\p{N}\p{M}_\u200d]`
const WORD = String.raw`${LETTER}+(?:(?<=\p{L}\p{M}*)['’.:·](?=\p{L})${LETTER}+|(?<=\p{N})[.,'](?=\p{N})${LETTER}+)*|\p{Zs}+|${CLUSTER}`

interface Segment {
  segment: string
  index: number
  input: string
  isWordLike?: boolean
}

/** https://tc39.es/ecma402/#segmenter-objects */
class TextSegmenter {
  readonly #locale: string
  readonly #granularity: string

  constructor(locales?: unknown, given?: unknown) {
    const options = objectOptions(given)
    readMatcher(options)
    this.#locale = resolveLocale(locales).locale
    this.#granularity = stringOption(options, 'granularity', ['grapheme', 'word'], 'grapheme')
  }

  static supportedLocalesOf(locales?: unknown, options?: unknown): string[] {
    return supportedLocalesOf(locales, options)
  }

  segment(input: unknown): Segments {
    return new Segments(toText(input), this.#granularity === 'word')
  }

  resolvedOptions(): Record<string, unknown> {
    return { locale: this.#locale, granularity: this.#granularity }
  }
}

class Segments {
  readonly #input: string
  readonly #isWord: boolean

  constructor(input: string, isWord: boolean) {
    this.#input = input
    this.#isWord = isWord
  }

  containing(index: unknown = 0): Segment | undefined {
    const at = Math.trunc(Number(index)) || 0
    if (at < 0 || at >= this.#input.length) return undefined
    for (const segment of this) {
      if (at < segment.index + segment.segment.length) return segment
    }
    return undefined
  }

  *[Symbol.iterator](): IterableIterator<Segment> {
    const input = this.#input
    const word = new RegExp(String.raw`[\p{L}\p{N}]`, 'u')
    for (const { 0: segment, index } of input.matchAll(
      new RegExp(this.#isWord ? WORD : CLUSTER, 'gu'),
    )) {
      const found: Segment = { segment, index, input }
      if (this.#isWord) found.isWordLike = word.test(segment)
      yield found
    }
  }
}

export const Segmenter = named('Segmenter', TextSegmenter)
