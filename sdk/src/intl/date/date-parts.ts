/** Fills a pattern: https://tc39.es/ecma402/#sec-partitiondatetimepattern. */
import type { Part } from '../text/builtin.ts'
import { toCivil, type Civil } from './civil.ts'
import type { DateOptions } from './date-options.ts'
import { periodAt, type Period } from './zone.ts'
import { zoneName } from './zone-names.ts'

const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September'],
  ...['October', 'November', 'December'],
]
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const ERAS: Readonly<Record<string, readonly [string, string]>> = {
  narrow: ['B', 'A'],
  short: ['BC', 'AD'],
  long: ['Before Christ', 'Anno Domini'],
}
const TYPES: Readonly<Record<string, string>> = {
  ...{ E: 'weekday', G: 'era', y: 'year', M: 'month', d: 'day', B: 'dayPeriod', a: 'dayPeriod' },
  ...{ h: 'hour', m: 'minute', s: 'second', S: 'fractionalSecond', z: 'timeZoneName' },
}

/** What a clock shows in the time zone. */
export function civilAt({ zone }: DateOptions, time: number): Civil {
  return toCivil(time + periodAt(zone, time).offset * 60_000)
}

/** @param time milliseconds since 1970. */
export function dateParts(options: DateOptions, time: number): Part[] {
  const period = periodAt(options.zone, time)
  const civil = toCivil(time + period.offset * 60_000)
  const pieces = options.pattern.text.split('%')
  const parts: Part[] = []
  // The patterns of the styles begin with a field, so there is no text before the first.
  for (const piece of pieces.slice(1)) {
    const letter = piece[0] ?? ''
    parts.push({ type: TYPES[letter] ?? '', value: fieldText(letter, options, civil, period) })
    if (piece.length > 1) parts.push({ type: 'literal', value: piece.slice(1) })
  }
  return parts
}

function fieldText(letter: string, options: DateOptions, civil: Civil, period: Period): string {
  const { pattern, isBritish, hourCycle, iso } = options
  const { fields } = pattern
  switch (letter) {
    case 'E':
      return shortened(WEEKDAYS[civil.weekday] ?? '', fields.weekday)
    case 'G':
      return ERAS[fields.era ?? '']?.[civil.year > 0 ? 1 : 0] ?? ''
    case 'y': {
      const year = civil.year > 0 ? civil.year : 1 - civil.year
      return fields.year === '2-digit' ? padded(year % 100, '2-digit') : String(year)
    }
    case 'M':
      return monthText(civil.month, fields.month, isBritish)
    case 'd':
      return padded(civil.day, fields.day)
    case 'B':
      return dayPeriod(civil.hour, fields.dayPeriod)
    case 'a':
      return halfDay(civil.hour < 12, isBritish, iso)
    case 'h':
      return padded(shownHour(civil.hour, hourCycle), fields.hour)
    case 'm':
      return padded(civil.minute, fields.minute)
    case 's':
      return padded(civil.second, fields.second)
    case 'S':
      return String(civil.millisecond).padStart(3, '0').slice(0, fields.fractionalSecondDigits)
    default:
      return zoneName(options.zone, period, fields.timeZoneName ?? 'short', isBritish)
  }
}

function shownHour(hour: number, hourCycle: string | undefined): number {
  switch (hourCycle) {
    case 'h11':
      return hour % 12
    case 'h12':
      return hour % 12 || 12
    case 'h24':
      return hour || 24
  }
  return hour
}

function halfDay(isMorning: boolean, isBritish: boolean, iso: string): string {
  if (iso !== '') return isMorning ? 'a.m.' : 'p.m.'
  const name = isMorning ? 'AM' : 'PM'
  return isBritish ? name.toLowerCase() : name
}

function padded(value: number, width: string | undefined): string {
  return width === '2-digit' ? String(value).padStart(2, '0') : String(value)
}

function shortened(name: string, width: string | undefined): string {
  return width === 'long' ? name : name.slice(0, width === 'narrow' ? 1 : 3)
}

function monthText(month: number, width: string | undefined, isBritish: boolean): string {
  if (width === 'numeric' || width === '2-digit') return padded(month, width)
  if (isBritish && month === 9 && width === 'short') return 'Sept'
  return shortened(MONTHS[month - 1] ?? '', width)
}

function dayPeriod(hour: number, width: string | undefined): string {
  if (hour === 12) return width === 'narrow' ? 'n' : 'noon'
  if (hour < 12) return 'in the morning'
  if (hour < 18) return 'in the afternoon'
  return hour < 21 ? 'in the evening' : 'at night'
}
