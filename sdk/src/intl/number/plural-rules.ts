import { named } from '../text/builtin.ts'
import { readMatcher, resolveLocale, supportedLocalesOf } from '../text/locales.ts'
import { coerceOptions, stringOption, toNumber } from '../text/options.ts'
import { toDecimal, type Decimal } from './decimal.ts'
import { readDigitOptions, roundAsAsked, type DigitOptions } from './digit-options.ts'

const CATEGORIES = { cardinal: ['one', 'other'], ordinal: ['one', 'two', 'few', 'other'] }

/** https://tc39.es/ecma402/#pluralrules-objects */
class Rules {
  readonly #locale: string
  readonly #type: 'cardinal' | 'ordinal'
  readonly #notation: string
  readonly #digits: DigitOptions

  constructor(locales?: unknown, given?: unknown) {
    const options = coerceOptions(given)
    readMatcher(options)
    const type = stringOption(options, 'type', ['cardinal', 'ordinal'], 'cardinal')
    this.#type = type as 'cardinal' | 'ordinal'
    this.#notation = stringOption(
      options,
      'notation',
      ['standard', 'scientific', 'engineering', 'compact'],
      'standard',
    )
    this.#digits = readDigitOptions(options, 0, 3, this.#notation === 'compact')
    this.#locale = resolveLocale(locales).locale
  }

  static supportedLocalesOf(locales?: unknown, options?: unknown): string[] {
    return supportedLocalesOf(locales, options)
  }

  select(value: unknown): string {
    return category(toDecimal(toNumber(value)), this.#type, this.#digits)
  }

  selectRange(start: unknown, end: unknown): string {
    if (start === undefined || end === undefined) throw new TypeError('a range has two ends')
    if (Number.isNaN(toNumber(start)) || Number.isNaN(toNumber(end))) {
      throw new RangeError('a range has no NaN')
    }
    // An English range is always plural.
    return 'other'
  }

  resolvedOptions(): Record<string, unknown> {
    const { minimumIntegerDigits, ...digits } = this.#digits
    const { roundingIncrement, roundingMode, roundingPriority, trailingZeroDisplay, ...counts } =
      digits
    const known = Object.entries(counts).filter(([, value]) => value !== undefined)
    return {
      locale: this.#locale,
      type: this.#type,
      notation: this.#notation,
      minimumIntegerDigits,
      ...Object.fromEntries(known),
      pluralCategories: [...CATEGORIES[this.#type]],
      ...{ roundingIncrement, roundingMode, roundingPriority, trailingZeroDisplay },
    }
  }
}

export const PluralRules = named('PluralRules', Rules)

/** The rules of English: https://www.unicode.org/cldr/charts/latest/supplemental/language_plural_rules.html#en. */
function category(value: Decimal, type: 'cardinal' | 'ordinal', options: DigitOptions): string {
  if (value.kind !== 'finite') return 'other'
  const { whole, fraction } = roundAsAsked(value, options)
  if (type === 'cardinal') return Number(whole) === 1 && fraction === '' ? 'one' : 'other'
  if (/[^0]/.test(fraction)) return 'other'
  const tens = Number(whole.slice(-2))
  const isTeen = tens >= 11 && tens <= 13
  return (isTeen ? undefined : ['other', 'one', 'two', 'few'][tens % 10]) ?? 'other'
}
