import { joinParts, named, type Part } from '../text/builtin.ts'
import { numberParts } from '../number/number-parts.ts'
import { numberingSystem, readNumberOptions, type NumberOptions } from '../number/number-options.ts'
import { toDecimal } from '../number/decimal.ts'
import { readMatcher, resolveLocale, supportedLocalesOf } from '../text/locales.ts'
import { coerceOptions, stringOption, toNumber, toText } from '../text/options.ts'

/** After one and several, in the styles long, short and narrow, British short; of a British quarter `last` keeps the dot. */
const UNITS: Readonly<Record<string, readonly string[]>> = {
  second: ['second', 'sec.', 's'],
  minute: ['minute', 'min.', 'm'],
  hour: ['hour', 'hr.', 'h'],
  day: ['day', 'day', 'd'],
  week: ['week', 'wk.', 'w'],
  month: ['month', 'mo.', 'mo'],
  quarter: ['quarter', 'qtr.', 'q'],
  year: ['year', 'yr.', 'y'],
}
const NEAR = ['last', 'this', 'next']
const DAYS = ['yesterday', 'today', 'tomorrow']

interface UnitPart extends Part {
  unit?: string
}

/** https://tc39.es/ecma402/#relativetimeformat-objects */
class RelativeTimes {
  readonly #locale: string
  readonly #isBritish: boolean
  readonly #style: string
  readonly #numeric: string
  readonly #number: NumberOptions

  constructor(locales?: unknown, given?: unknown) {
    const options = coerceOptions(given)
    readMatcher(options)
    const { locale, isBritish } = resolveLocale(locales, { nu: ['latn'] }, numberingSystem(options))
    this.#locale = locale
    this.#isBritish = isBritish
    this.#style = stringOption(options, 'style', ['long', 'short', 'narrow'], 'long')
    this.#numeric = stringOption(options, 'numeric', ['always', 'auto'], 'always')
    this.#number = readNumberOptions(locale, undefined)
  }

  static supportedLocalesOf(locales?: unknown, options?: unknown): string[] {
    return supportedLocalesOf(locales, options)
  }

  format(value: unknown, unit: unknown): string {
    return joinParts(this.formatToParts(value, unit))
  }

  formatToParts(given: unknown, plural: unknown): UnitPart[] {
    const value = toNumber(given)
    const text = toText(plural)
    const unit = text.endsWith('s') ? text.slice(0, -1) : text
    if (!Object.hasOwn(UNITS, unit))
      throw new RangeError('the unit must be one such as day or days')
    if (!Number.isFinite(value)) throw new RangeError('the value must be a finite number')
    const near = this.#numeric === 'auto' ? this.#near(value, unit) : undefined
    if (near !== undefined) return [{ type: 'literal', value: near }]
    const isPast = value < 0 || Object.is(value, -0)
    const number = numberParts(this.#number, toDecimal(Math.abs(value)))
    const name = this.#after(unit, joinParts(number) === '1')
    return [
      ...(isPast ? [] : [{ type: 'literal', value: 'in ' }]),
      ...number.map((part): UnitPart => ({ ...part, unit })),
      ...(isPast || name !== '' ? [{ type: 'literal', value: name + (isPast ? ' ago' : '') }] : []),
    ]
  }

  resolvedOptions(): Record<string, unknown> {
    return {
      ...{ locale: this.#locale, style: this.#style, numeric: this.#numeric },
      numberingSystem: 'latn',
    }
  }

  /** Such as yesterday and last year. */
  #near(value: number, unit: string): string | undefined {
    if (Math.abs(value) > 1 || !Number.isInteger(value)) return undefined
    if (unit === 'second') return value === 0 ? 'now' : undefined
    if (unit === 'day') return DAYS[value + 1]
    const isClock = unit === 'minute' || unit === 'hour'
    if (isClock && value !== 0) return undefined
    const names = UNITS[unit] ?? []
    const name = (this.#style === 'long' || isClock ? names[0] : names[1]) ?? ''
    const isPlain = this.#isBritish && unit !== 'quarter'
    return `${NEAR[value + 1]} ${isPlain ? name.replace('.', '') : name}`
  }

  #after(unit: string, isOne: boolean): string {
    const [long = '', short = '', narrow = ''] = UNITS[unit] ?? []
    if (this.#style === 'long') return ` ${long}${isOne ? '' : 's'}`
    if (this.#style === 'narrow' && !this.#isBritish) return narrow
    if (unit === 'day') return isOne ? ' day' : ' days'
    if (this.#isBritish) return ` ${short.replace('.', '')}`
    return ` ${unit === 'quarter' && !isOne ? 'qtrs.' : short}`
  }
}

export const RelativeTimeFormat = named('RelativeTimeFormat', RelativeTimes)
