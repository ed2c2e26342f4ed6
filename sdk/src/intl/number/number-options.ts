/** The options of `Intl.NumberFormat`: https://tc39.es/ecma402/#sec-intl.numberformat. */
import { readMatcher, resolveLocale } from '../text/locales.ts'
import { coerceOptions, stringOption, type Options } from '../text/options.ts'
import { minorDigits } from './currencies.ts'
import { readDigitOptions, type DigitOptions } from './digit-options.ts'
import { isUnit } from './units.ts'

export interface NumberOptions extends DigitOptions {
  locale: string
  isBritish: boolean
  style: string
  currency: string | undefined
  currencyDisplay: string
  currencySign: string
  unit: string | undefined
  unitDisplay: string
  useGrouping: string | false
  notation: string
  compactDisplay: string
  signDisplay: string
}

/** @throws {RangeError | TypeError} */
export function readNumberOptions(locales: unknown, given: unknown): NumberOptions {
  const options = coerceOptions(given)
  readMatcher(options)
  const { locale, isBritish } = resolveLocale(locales, { nu: ['latn'] }, numberingSystem(options))
  const style = stringOption(
    options,
    'style',
    ['decimal', 'percent', 'currency', 'unit'],
    'decimal',
  )
  const currency = readCurrency(options, style)
  const currencyDisplay = stringOption(
    options,
    'currencyDisplay',
    ['code', 'symbol', 'narrowSymbol', 'name'],
    'symbol',
  )
  const currencySign = stringOption(options, 'currencySign', ['standard', 'accounting'], 'standard')
  const unit = stringOption(options, 'unit')
  if (unit === undefined ? style === 'unit' : !isUnit(unit)) throw unitError(unit)
  const unitDisplay = stringOption(options, 'unitDisplay', ['short', 'narrow', 'long'], 'short')
  const notation = stringOption(
    options,
    'notation',
    ['standard', 'scientific', 'engineering', 'compact'],
    'standard',
  )
  const isCompact = notation === 'compact'
  const isAmount = style === 'currency' && notation === 'standard'
  const minor = isAmount ? minorDigits(currency ?? '') : 0
  const digits = readDigitOptions(
    options,
    minor,
    isAmount ? minor : style === 'percent' ? 0 : 3,
    isCompact,
  )
  const compactDisplay = stringOption(options, 'compactDisplay', ['short', 'long'], 'short')
  const useGrouping = readGrouping(options, isCompact)
  const signDisplay = stringOption(
    options,
    'signDisplay',
    ['auto', 'never', 'always', 'exceptZero', 'negative'],
    'auto',
  )
  return {
    ...digits,
    ...{ locale, isBritish, style, currency, currencyDisplay, currencySign, unit, unitDisplay },
    ...{ useGrouping, notation, compactDisplay, signDisplay },
  }
}

/** @throws {RangeError} if it does not have the form of one. */
export function numberingSystem(options: Options): { nu: string | undefined } {
  const nu = stringOption(options, 'numberingSystem')
  if (nu !== undefined && !isTypeName(nu)) {
    throw new RangeError('the option numberingSystem must be a name such as latn')
  }
  return { nu }
}

/** The form of a calendar and of a numbering system. */
export function isTypeName(text: string): boolean {
  return text.length < 100 && /^[a-z\d]{3,8}(-[a-z\d]{3,8})*$/i.test(text)
}

function readCurrency(options: Options, style: string): string | undefined {
  const currency = stringOption(options, 'currency')
  if (currency === undefined) {
    if (style === 'currency') throw new TypeError('the style currency needs the option currency')
  } else if (!/^[a-z]{3}$/i.test(currency)) {
    throw new RangeError('the option currency must be a code of three letters')
  }
  return currency?.toUpperCase()
}

function unitError(unit: string | undefined): Error {
  return unit === undefined
    ? new TypeError('the style unit needs the option unit')
    : new RangeError('the option unit must be a unit such as kilometer-per-hour')
}

/** https://tc39.es/ecma402/#sec-getbooleanorstringnumberformatoption */
function readGrouping(options: Options, isCompact: boolean): string | false {
  const { useGrouping: value } = options
  const fallback = isCompact ? 'min2' : 'auto'
  if (value === undefined) return fallback
  if (value === true) return 'always'
  if (!value) return false
  const text = stringOption(
    { useGrouping: value },
    'useGrouping',
    ['min2', 'auto', 'always', 'true', 'false'],
    fallback,
  )
  return text === 'true' || text === 'false' ? fallback : text
}
