/** `formatRange` of dates: both ends in full, except that the day of two times is shown once. */
import { joinParts, type Part } from '../text/builtin.ts'
import type { DateOptions } from './date-options.ts'
import { dateParts } from './date-parts.ts'

export interface RangePart extends Part {
  source: string
}

/** ICU puts thin spaces around the dash. */
const DASH = '\u2009–\u2009'
const TIME = ['hour', 'minute', 'second', 'fractionalSecond', 'dayPeriod', 'timeZoneName']

export function dateRange(options: DateOptions, start: number, end: number): RangePart[] {
  const [first, second] = [dateParts(options, start), dateParts(options, end)]
  if (joinParts(first) === joinParts(second)) return withSource(second, 'shared')
  const at = sharedDay(first, second)
  return [
    ...withSource(first.slice(0, at), 'shared'),
    ...withSource(first.slice(at), 'startRange'),
    ...withSource([{ type: 'literal', value: DASH }], 'shared'),
    ...withSource(second.slice(at), 'endRange'),
  ]
}

function withSource(parts: readonly Part[], source: string): RangePart[] {
  return parts.map((part) => ({ ...part, source }))
}

/** Where the time begins, if everything before it is a day that both have. */
function sharedDay(first: readonly Part[], second: readonly Part[]): number {
  const at = first.findIndex(({ type }) => TIME.includes(type))
  const same = at > 0 && joinParts(first.slice(0, at)) === joinParts(second.slice(0, at))
  return same && first.some(({ type }) => type === 'day') ? at : 0
}
