/** Rounding of decimals: https://tc39.es/ecma402/#sec-applyunsignedroundingmode. */
import { decimal, type Decimal } from './decimal.ts'

export const ROUNDING_MODES = [
  ...['ceil', 'floor', 'expand', 'trunc', 'halfCeil'],
  ...['halfFloor', 'halfExpand', 'halfTrunc', 'halfEven'],
] as const

export type RoundingMode = (typeof ROUNDING_MODES)[number]

/** Rounds to a multiple of 10^-places; negative places round before the point. */
function roundToPlaces(value: Decimal, places: number, mode: RoundingMode): Decimal {
  const { digits, point, isNegative } = value
  const kept = point + places
  if (kept >= digits.length) return value
  const head = kept > 0 ? digits.slice(0, kept) : ''
  // What is cut off, compared with one half: the digits do not end with 0.
  const next = kept < 0 ? '0' : (digits[kept] ?? '0')
  const half = next === '5' ? (kept + 1 < digits.length ? 1 : 0) : next > '5' ? 1 : -1
  const isOdd = '13579'.includes(head.at(-1) ?? ' ')
  if (!roundsUp(mode, isNegative, half, isOdd))
    return decimal(isNegative, head, Math.max(point, -places))
  const raised = addOne(head)
  const end = kept > 0 ? point : -places
  return decimal(isNegative, raised, end + raised.length - head.length)
}

/** Rounds to a multiple of `increment` × 10^-places. */
export function roundToIncrement(
  value: Decimal,
  places: number,
  increment: number,
  mode: RoundingMode,
): Decimal {
  if (increment === 1) return roundToPlaces(value, places, mode)
  const { digits, point, isNegative } = value
  const kept = point + places
  const cut = Math.max(0, digits.length - kept)
  const whole = BigInt(digits.padEnd(kept, '0') || '0')
  const step = BigInt(increment) * 10n ** BigInt(cut)
  const rest = whole % step
  if (rest === 0n) return value
  const twice = rest * 2n
  const half = twice > step ? 1 : twice === step ? 0 : -1
  const times = whole / step
  const up = roundsUp(mode, isNegative, half, times % 2n === 1n)
  const text = ((times + (up ? 1n : 0n)) * BigInt(increment)).toString()
  return decimal(isNegative, text, text.length - places)
}

export function roundToDigits(value: Decimal, most: number, mode: RoundingMode): Decimal {
  return roundToPlaces(value, most - value.point, mode)
}

/** @param half how what is cut off compares with one half. */
function roundsUp(mode: RoundingMode, isNegative: boolean, half: number, isOdd: boolean): boolean {
  switch (mode) {
    case 'ceil':
      return !isNegative
    case 'floor':
      return isNegative
    case 'expand':
      return true
    case 'trunc':
      return false
  }
  if (half !== 0) return half > 0
  if (mode === 'halfEven') return isOdd
  return mode === 'halfExpand' || mode === (isNegative ? 'halfFloor' : 'halfCeil')
}

function addOne(digits: string): string {
  let at = digits.length
  while (at > 0 && digits[at - 1] === '9') at--
  const zeros = '0'.repeat(digits.length - at)
  if (at === 0) return `1${zeros}`
  return digits.slice(0, at - 1) + String(Number(digits[at - 1]) + 1) + zeros
}
