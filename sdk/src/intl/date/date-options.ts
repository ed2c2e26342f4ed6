/** The options of `Intl.DateTimeFormat`: https://tc39.es/ecma402/#sec-createdatetimeformat. */
import { numberingSystem, isTypeName } from '../number/number-options.ts'
import { readMatcher, resolveLocale } from '../text/locales.ts'
import {
  booleanOption,
  coerceOptions,
  numberOption,
  stringOption,
  toText,
  type Options,
} from '../text/options.ts'
import { isoOrder, orderAsIso } from './iso-order.ts'
import { choosePattern, type Fields, type Pattern } from './pattern.ts'
import { stylePattern } from './styles.ts'
import { findZone, type Zone } from './zone.ts'

export interface DateOptions {
  locale: string
  isBritish: boolean
  /** Of the locales that programs ask for to get dates such as 2026-03-05: `sv` and `en-CA`, else empty. */
  iso: string
  zone: Zone
  /** Only with an hour. */
  hourCycle: string | undefined
  dateStyle: string | undefined
  timeStyle: string | undefined
  pattern: Pattern
}

const TEXTS = ['narrow', 'short', 'long']
const DIGITS = ['2-digit', 'numeric']
/** In the order in which the specification reads them. */
const WIDTHS: readonly [keyof Fields, readonly string[]][] = [
  ['weekday', TEXTS],
  ['era', TEXTS],
  ['year', DIGITS],
  ['month', [...DIGITS, ...TEXTS]],
  ['day', DIGITS],
  ['dayPeriod', TEXTS],
  ['hour', DIGITS],
  ['minute', DIGITS],
  ['second', DIGITS],
  ['fractionalSecondDigits', []],
  ['timeZoneName', ['short', 'long', 'shortOffset', 'longOffset', 'shortGeneric', 'longGeneric']],
]
const DATE_PARTS = ['weekday', 'year', 'month', 'day'] as const
const TIME_PARTS = ['dayPeriod', 'hour', 'minute', 'second', 'fractionalSecondDigits'] as const

/**
 * @param required what must be there, or gets `defaults`.
 * @throws {RangeError | TypeError}
 */
export function readDateOptions(
  locales: unknown,
  given: unknown,
  required: 'date' | 'time' | 'any',
  defaults: 'date' | 'time' | 'all',
): DateOptions {
  const options = coerceOptions(given)
  readMatcher(options)
  const ca = stringOption(options, 'calendar')
  if (ca !== undefined && !isTypeName(ca)) {
    throw new RangeError('the option calendar must be a name such as gregory')
  }
  const { nu } = numberingSystem(options)
  const hour12 = booleanOption(options, 'hour12')
  const cycle = stringOption(options, 'hourCycle', ['h11', 'h12', 'h23', 'h24'])
  const hc = hour12 === undefined ? cycle : undefined
  const { locale, isBritish, keywords } = resolveLocale(
    locales,
    { ca: ['gregory'], hc: hour12 === undefined ? ['h11', 'h12', 'h23', 'h24'] : [], nu: ['latn'] },
    { ca, hc, nu },
  )
  const iso = isoOrder(locales)
  const zone = findZone(options['timeZone'] === undefined ? 'UTC' : toText(options['timeZone']))
  const fields = readFields(options)
  stringOption(options, 'formatMatcher', ['basic', 'best fit'])
  const styles = ['full', 'long', 'medium', 'short']
  const dateStyle = stringOption(options, 'dateStyle', styles)
  const timeStyle = stringOption(options, 'timeStyle', styles)
  const hasStyle = dateStyle !== undefined || timeStyle !== undefined
  if (hasStyle) checkStyles(fields, required, dateStyle, timeStyle)
  else addDefaults(fields, required, defaults)
  const preferred =
    hour12 === undefined
      ? (keywords.get('hc') ?? (isBritish || iso === 'sv' ? 'h23' : 'h12'))
      : hour12
        ? 'h12'
        : 'h23'
  const isHalfDay = preferred === 'h11' || preferred === 'h12'
  const pattern = hasStyle
    ? stylePattern(dateStyle, timeStyle, isBritish, isHalfDay)
    : choosePattern(fields, isBritish, isHalfDay)
  if (iso !== '') orderAsIso(pattern, iso)
  const hourCycle = pattern.fields.hour === undefined ? undefined : preferred
  return { locale, isBritish, iso, zone, hourCycle, dateStyle, timeStyle, pattern }
}

function readFields(options: Options): Fields {
  const fields = Object.create(null) as Record<string, unknown>
  for (const [name, widths] of WIDTHS) {
    const value =
      name === 'fractionalSecondDigits'
        ? numberOption(options[name], name, 1, 3)
        : stringOption(options, name, widths)
    if (value !== undefined) fields[name] = value
  }
  return fields
}

function checkStyles(
  fields: Fields,
  required: string,
  dateStyle: string | undefined,
  timeStyle: string | undefined,
): void {
  const [field] = Object.keys(fields)
  if (field !== undefined) {
    throw new TypeError(`the option ${field} does not go with dateStyle and timeStyle`)
  }
  if (required === 'date' && timeStyle !== undefined) {
    throw new TypeError('the option timeStyle is for a date with a time')
  }
  if (required === 'time' && dateStyle !== undefined) {
    throw new TypeError('the option dateStyle is for a date')
  }
}

function addDefaults(fields: Fields, required: string, defaults: string): void {
  const has = (names: readonly (keyof Fields)[]) => names.some((name) => fields[name] !== undefined)
  if (required !== 'time' && has(DATE_PARTS)) return
  if (required !== 'date' && has(TIME_PARTS)) return
  if (defaults !== 'time')
    Object.assign(fields, { year: 'numeric', month: 'numeric', day: 'numeric' })
  if (defaults !== 'date')
    Object.assign(fields, { hour: 'numeric', minute: 'numeric', second: 'numeric' })
}
