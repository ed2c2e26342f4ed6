import { callable, joinParts, type Part } from '../text/builtin.ts'
import { byLocale } from '../text/by-locale.ts'
import { supportedLocalesOf } from '../text/locales.ts'
import { toNumber } from '../text/options.ts'
import { readDateOptions, type DateOptions } from './date-options.ts'
import { dateParts } from './date-parts.ts'
import { dateRange, type RangePart } from './date-range.ts'

/** In the order of the specification. */
const SHOWN = [
  ...['weekday', 'era', 'year', 'month', 'day', 'dayPeriod', 'hour', 'minute', 'second'],
  ...['fractionalSecondDigits', 'timeZoneName'],
] as const

/** https://tc39.es/ecma402/#datetimeformat-objects */
class DateTimeFormatter {
  readonly #options: DateOptions
  #format: ((date?: unknown) => string) | undefined

  constructor(locales?: unknown, options?: unknown) {
    this.#options = readDateOptions(locales, options, 'any', 'date')
  }

  static supportedLocalesOf(locales?: unknown, options?: unknown): string[] {
    return supportedLocalesOf(locales, options)
  }

  get format(): (date?: unknown) => string {
    const options = this.#options
    this.#format ??= (date) => joinParts(dateParts(options, timeOf(date)))
    return this.#format
  }

  formatToParts(date?: unknown): Part[] {
    return dateParts(this.#options, timeOf(date))
  }

  formatRange(start: unknown, end: unknown): string {
    return joinParts(this.formatRangeToParts(start, end))
  }

  formatRangeToParts(start: unknown, end: unknown): RangePart[] {
    const options = this.#options
    if (start === undefined || end === undefined) throw new TypeError('a range has two ends')
    return dateRange(options, timeOf(start), timeOf(end))
  }

  resolvedOptions(): Record<string, unknown> {
    const { locale, zone, hourCycle, dateStyle, timeStyle, pattern } = this.#options
    const shown: Record<string, unknown> = {
      ...{ locale, calendar: 'gregory', numberingSystem: 'latn', timeZone: zone.id },
    }
    if (hourCycle !== undefined) {
      shown['hourCycle'] = hourCycle
      shown['hour12'] = hourCycle === 'h11' || hourCycle === 'h12'
    }
    if (dateStyle !== undefined || timeStyle !== undefined) {
      if (dateStyle !== undefined) shown['dateStyle'] = dateStyle
      if (timeStyle !== undefined) shown['timeStyle'] = timeStyle
      return shown
    }
    const fields: Record<string, unknown> = { ...pattern.fields }
    for (const name of SHOWN) if (fields[name] !== undefined) shown[name] = fields[name]
    return shown
  }
}

export const DateTimeFormat = callable('DateTimeFormat', DateTimeFormatter)

/** @throws {RangeError} of an invalid date. */
function timeOf(date: unknown): number {
  const time = date === undefined ? Date.now() : toNumber(date)
  if (!(Math.abs(time) <= 8.64e15)) throw new RangeError('Invalid time value')
  return Math.trunc(time) + 0
}

const OPTIONS = {
  date: byLocale((locales, options) => readDateOptions(locales, options, 'date', 'date')),
  time: byLocale((locales, options) => readDateOptions(locales, options, 'time', 'time')),
  any: byLocale((locales, options) => readDateOptions(locales, options, 'any', 'all')),
}

/** What `toLocaleString` and the like of a date return. @param time may be NaN. */
export function formatDate(
  time: number,
  locales: unknown,
  options: unknown,
  required: 'date' | 'time' | 'any',
): string {
  const read = OPTIONS[required](locales, options)
  return Number.isNaN(time) ? 'Invalid Date' : joinParts(dateParts(read, time))
}
