import { callable, joinParts, type Part } from '../text/builtin.ts'
import { byLocale } from '../text/by-locale.ts'
import { supportedLocalesOf } from '../text/locales.ts'
import { toDecimal } from './decimal.ts'
import { readNumberOptions, type NumberOptions } from './number-options.ts'
import { numberParts } from './number-parts.ts'
import { numberRange, type RangePart } from './number-range.ts'

/** In the order of the specification. */
const SHOWN = [
  ...['style', 'currency', 'currencyDisplay', 'currencySign', 'unit', 'unitDisplay'],
  ...['minimumIntegerDigits', 'minimumFractionDigits', 'maximumFractionDigits'],
  ...['minimumSignificantDigits', 'maximumSignificantDigits', 'useGrouping', 'notation'],
  ...['compactDisplay', 'signDisplay', 'roundingIncrement', 'roundingMode', 'roundingPriority'],
  'trailingZeroDisplay',
] as const

/** https://tc39.es/ecma402/#numberformat-objects */
class NumberFormatter {
  readonly #options: NumberOptions
  #format: ((value: unknown) => string) | undefined

  constructor(locales?: unknown, options?: unknown) {
    this.#options = readNumberOptions(locales, options)
  }

  static supportedLocalesOf(locales?: unknown, options?: unknown): string[] {
    return supportedLocalesOf(locales, options)
  }

  get format(): (value: unknown) => string {
    const options = this.#options
    this.#format ??= (value) => joinParts(numberParts(options, toDecimal(value)))
    return this.#format
  }

  formatToParts(value: unknown): Part[] {
    return numberParts(this.#options, toDecimal(value))
  }

  formatRange(start: unknown, end: unknown): string {
    return joinParts(this.formatRangeToParts(start, end))
  }

  formatRangeToParts(start: unknown, end: unknown): RangePart[] {
    const options = this.#options
    if (start === undefined || end === undefined) throw new TypeError('a range has two ends')
    return numberRange(options, toDecimal(start), toDecimal(end))
  }

  resolvedOptions(): Record<string, unknown> {
    const options: Record<string, unknown> & NumberOptions = { ...this.#options }
    const { style, notation } = options
    const shown: Record<string, unknown> = { locale: options.locale, numberingSystem: 'latn' }
    for (const key of SHOWN) {
      const isOfStyle =
        (!key.startsWith('currency') || style === 'currency') &&
        (!key.startsWith('unit') || style === 'unit') &&
        (key !== 'compactDisplay' || notation === 'compact')
      if (isOfStyle && options[key] !== undefined) shown[key] = options[key]
    }
    return shown
  }
}

export const NumberFormat = callable('NumberFormat', NumberFormatter)

/** What `toLocaleString` of a number returns. */
export function formatNumber(value: unknown, locales: unknown, options: unknown): string {
  return joinParts(numberParts(optionsOf(locales, options), toDecimal(value)))
}

const optionsOf = byLocale(readNumberOptions)
