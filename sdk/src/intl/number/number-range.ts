/** `formatRange` of numbers. What both ends share is shown once, where ICU does so. */
import { joinParts, type Part } from '../text/builtin.ts'
import type { Decimal } from './decimal.ts'
import type { NumberOptions } from './number-options.ts'
import { numberParts } from './number-parts.ts'

export interface RangePart extends Part {
  source: string
}

const NUMBER = ['integer', 'group', 'decimal', 'fraction', 'infinity', 'compact']

/** @throws {RangeError} of NaN. */
export function numberRange(options: NumberOptions, start: Decimal, end: Decimal): RangePart[] {
  if (start.kind === 'nan' || end.kind === 'nan') throw new RangeError('a range has no NaN')
  const [first, second] = [numberParts(options, start), numberParts(options, end)]
  if (joinParts(first) === joinParts(second)) {
    return withSource([{ type: 'approximatelySign', value: '~' }, ...second], 'shared')
  }
  const [left, right] = [split(first), split(second)]
  const hasName = options.style === 'unit' || options.currencyDisplay === 'name'
  // A name is the same but for its plural.
  const sameAfter = hasName || joinParts(left.after) === joinParts(right.after)
  const sameBefore = joinParts(left.before) === joinParts(right.before)
  const around = joinParts([...left.before, ...(hasName ? [] : left.after)])
  // A single sign is repeated: $1 – $2, but USD 1–2.
  const sharesBefore = sameBefore && (hasName || sameAfter) && around.length > 1
  const sharesAfter = sameAfter && (hasName || sharesBefore)
  const [before, from] = sharesBefore
    ? [left.before, left.number]
    : [[], [...left.before, ...left.number]]
  if (!sharesAfter) from.push(...left.after)
  const to = [...(sharesBefore ? [] : right.before), ...right.number]
  if (!sharesAfter) to.push(...right.after)
  const isDigit = (part?: Part) => part && part.type !== 'compact' && NUMBER.includes(part.type)
  const isTight = isDigit(from[0]) && isDigit(from.at(-1)) && isDigit(to[0])
  return [
    ...withSource(before, 'shared'),
    ...withSource(from, 'startRange'),
    ...withSource([{ type: 'literal', value: isTight ? '–' : ' – ' }], 'shared'),
    ...withSource(to, 'endRange'),
    ...withSource(sharesAfter ? right.after : [], 'shared'),
  ]
}

function withSource(parts: readonly Part[], source: string): RangePart[] {
  return parts.map((part) => ({ ...part, source }))
}

function split(parts: readonly Part[]) {
  const isNumber = ({ type }: Part) => NUMBER.includes(type)
  const start = parts.findIndex(isNumber)
  const end = parts.findLastIndex(isNumber) + 1
  return { before: parts.slice(0, start), number: parts.slice(start, end), after: parts.slice(end) }
}
