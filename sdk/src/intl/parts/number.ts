/** `Intl.NumberFormat`, `Intl.PluralRules` and `toLocaleString` of numbers and lists. */
import { formatNumber, NumberFormat } from '../number/number-format.ts'
import { PluralRules } from '../number/plural-rules.ts'
import type { IntlPart } from './part.ts'

interface Printable {
  toLocaleString(locales?: unknown, options?: unknown): string
}

/** https://tc39.es/ecma402/#sup-array.prototype.tolocalestring: the engine's does not pass the arguments on. */
const lists = {
  toLocaleString(
    this: ArrayLike<Printable | null | undefined>,
    locales?: unknown,
    options?: unknown,
  ) {
    let text = ''
    for (let index = 0; index < this.length; index++) {
      if (index > 0) text += ','
      text += this[index]?.toLocaleString(locales, options) ?? ''
    }
    return text
  },
}

export const number: IntlPart = {
  members: { NumberFormat, PluralRules },
  methods: [
    [
      Number.prototype,
      {
        toLocaleString(this: unknown, locales?: unknown, options?: unknown): string {
          return formatNumber(Number.prototype.valueOf.call(this), locales, options)
        },
      },
    ],
    [
      BigInt.prototype,
      {
        toLocaleString(this: unknown, locales?: unknown, options?: unknown): string {
          return formatNumber(BigInt.prototype.valueOf.call(this as bigint), locales, options)
        },
      },
    ],
    [Array.prototype, lists],
    [Object.getPrototypeOf(Uint8Array.prototype) as object, lists],
  ],
}
