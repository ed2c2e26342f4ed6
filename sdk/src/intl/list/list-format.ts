import { joinParts, named, type Part } from '../text/builtin.ts'
import { readMatcher, resolveLocale, supportedLocalesOf } from '../text/locales.ts'
import { objectOptions, stringOption } from '../text/options.ts'

/** https://tc39.es/ecma402/#listformat-objects */
class Lists {
  readonly #locale: string
  readonly #type: string
  readonly #style: string
  readonly #isBritish: boolean

  constructor(locales?: unknown, given?: unknown) {
    const options = objectOptions(given)
    readMatcher(options)
    const { locale, isBritish } = resolveLocale(locales)
    this.#locale = locale
    this.#isBritish = isBritish
    const types = ['conjunction', 'disjunction', 'unit']
    this.#type = stringOption(options, 'type', types, 'conjunction')
    this.#style = stringOption(options, 'style', ['long', 'short', 'narrow'], 'long')
  }

  static supportedLocalesOf(locales?: unknown, options?: unknown): string[] {
    return supportedLocalesOf(locales, options)
  }

  format(list?: Iterable<unknown>): string {
    return joinParts(this.formatToParts(list))
  }

  formatToParts(list: Iterable<unknown> = []): Part[] {
    const parts: Part[] = []
    const items: string[] = []
    for (const item of list) {
      if (typeof item !== 'string') throw new TypeError('a list to format has strings only')
      items.push(item)
    }
    for (const [index, value] of items.entries()) {
      if (index > 0) {
        const isLast = index === items.length - 1
        parts.push({ type: 'literal', value: isLast ? this.#last(items.length) : this.#comma() })
      }
      parts.push({ type: 'element', value })
    }
    return parts
  }

  resolvedOptions(): Record<string, unknown> {
    return { locale: this.#locale, type: this.#type, style: this.#style }
  }

  #comma(): string {
    return this.#type === 'unit' && this.#style === 'narrow' ? ' ' : ', '
  }

  #last(count: number): string {
    const isBritish = this.#isBritish
    if (this.#type === 'unit' || (this.#type === 'conjunction' && this.#style === 'narrow')) {
      return this.#comma()
    }
    const isShort = this.#style === 'short' && !isBritish
    const word = this.#type === 'disjunction' ? 'or' : isShort ? '&' : 'and'
    return count > 2 && !isBritish ? `, ${word} ` : ` ${word} `
  }
}

export const ListFormat = named('ListFormat', Lists)
