/** `formatRange` of dates: what both ends share is shown once, as English has it. */
import { joinParts, type Part } from '../text/builtin.ts'
import type { DateOptions } from './date-options.ts'
import { civilAt, dateParts } from './date-parts.ts'
import { choosePattern, type Fields } from './pattern.ts'

export interface RangePart extends Part {
  source: string
}

/** Between thin spaces; British times have none. */
const DASH = '\u2009–\u2009'
const TIME = ['hour', 'minute', 'second', 'fractionalSecond', 'dayPeriod', 'timeZoneName']
const DIGITS: Fields = { year: 'numeric', month: 'numeric', day: 'numeric' }

export function dateRange(options: DateOptions, start: number, end: number): RangePart[] {
  const [first, second] = [dateParts(options, start), dateParts(options, end)]
  if (joinParts(first) === joinParts(second)) return withSource(second, 'shared')
  const { fields } = options.pattern
  const [a, b] = [civilAt(options, start), civilAt(options, end)]
  const sameYear = a.year === b.year
  const sameMonth = sameYear && a.month === b.month
  if (fields.hour || fields.minute || fields.second) {
    if (sameMonth && a.day === b.day) return timeRange(options, first, second)
    const isBare = !fields.year && !fields.month && !fields.day && !fields.weekday
    return isBare ? inFull(options, DIGITS, start, end) : joined([], first, second)
  }
  if (!sameYear && !fields.year && (fields.month || fields.day)) {
    return inFull(options, { ...DIGITS, ...(fields.month && { month: fields.month }) }, start, end)
  }
  const hasName = fields.month !== undefined && !/\d|numeric/.test(fields.month)
  if (!sameYear || !hasName) return joined([], first, second)
  const short = without(first, 'year')
  if (!sameMonth || fields.weekday || !fields.day) return joined([], short, second)
  return options.isBritish
    ? joined([], without(short, 'month'), second)
    : joined([], short, without(second, 'month'))
}

/** Of one day, and of one half of it. */
function timeRange(
  options: DateOptions,
  first: readonly Part[],
  second: readonly Part[],
): RangePart[] {
  const at = first.findIndex(({ type }) => TIME.includes(type))
  const day = first
    .slice(0, at)
    .map((part) => (part.value === ' at ' ? { ...part, value: ', ' } : part))
  const [from, to] = [first.slice(at), second.slice(at)]
  const periodOf = (parts: readonly Part[]) => parts.find(({ type }) => type === 'dayPeriod')?.value
  const isHalf = periodOf(from) !== undefined && periodOf(from) === periodOf(to)
  const dash = options.isBritish && periodOf(from) === undefined ? '–' : DASH
  return joined(day, isHalf ? without(from, 'dayPeriod') : from, to, dash)
}

/** With the fields that tell the ends apart. */
function inFull(options: DateOptions, more: Fields, start: number, end: number): RangePart[] {
  const { isBritish, hourCycle, pattern } = options
  const isHalfDay = hourCycle === 'h12' || hourCycle === 'h11'
  const full = {
    ...options,
    pattern: choosePattern({ ...pattern.fields, ...more }, isBritish, isHalfDay),
  }
  return joined([], dateParts(full, start), dateParts(full, end))
}

/** Leaves out a field and the text before it, or after it if it is the first. */
function without(parts: readonly Part[], type: string): Part[] {
  const at = parts.findIndex((part) => part.type === type)
  if (at < 0) return [...parts]
  const from = at === 0 ? 0 : at - 1
  return [...parts.slice(0, from), ...parts.slice(from + 2)]
}

function joined(
  shared: readonly Part[],
  first: readonly Part[],
  second: readonly Part[],
  dash = DASH,
): RangePart[] {
  return [
    ...withSource(shared, 'shared'),
    ...withSource(first, 'startRange'),
    ...withSource([{ type: 'literal', value: dash }], 'shared'),
    ...withSource(second, 'endRange'),
  ]
}

function withSource(parts: readonly Part[], source: string): RangePart[] {
  return parts.map((part) => ({ ...part, source }))
}
