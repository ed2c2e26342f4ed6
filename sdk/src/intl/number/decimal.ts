/** Exact decimal numbers, because a double loses the digits of a bigint and of a text. */
import { toText } from '../text/options.ts'

/** 0.DIGITS × 10^point; the digits neither begin nor end with 0, and 0 has none. */
export interface Decimal {
  kind: 'finite' | 'infinite' | 'nan'
  isNegative: boolean
  digits: string
  point: number
}

const LITERAL = /^([+-]?)(?:(\d+)\.?(\d*)|\.(\d+))(?:e([+-]?\d+))?$/i

/** https://tc39.es/ecma402/#sec-tointlmathematicalvalue */
export function toDecimal(value: unknown): Decimal {
  const primitive =
    typeof value === 'object' || typeof value === 'function' ? toPrimitive(value) : value
  if (typeof primitive === 'bigint') return fromLiteral(primitive.toString())
  if (typeof primitive === 'string') return fromText(primitive)
  return fromNumber(Number(primitive))
}

function toPrimitive(value: unknown): unknown {
  if (value === null) return 0
  const convert = (value as { [Symbol.toPrimitive]?: unknown })[Symbol.toPrimitive]
  if (typeof convert === 'function') return Reflect.apply(convert, value, ['number'])
  const plain = (value as object).valueOf()
  return typeof plain === 'object' || typeof plain === 'function' ? toText(value) : plain
}

function fromNumber(value: number): Decimal {
  if (Number.isNaN(value)) return special('nan', false)
  if (!Number.isFinite(value)) return special('infinite', value < 0)
  const found = fromLiteral(String(value))
  return Object.is(value, -0) ? { ...found, isNegative: true } : found
}

/** Text beyond the range of a number becomes infinite or 0, so no exponent is large. */
function fromText(text: string): Decimal {
  const trimmed = text.trim()
  const value = Number(trimmed)
  if (!Number.isFinite(value)) return fromNumber(value)
  if (/^0[xob]/i.test(trimmed)) return fromLiteral(BigInt(trimmed).toString())
  if (value === 0) return fromNumber(value)
  return fromLiteral(trimmed)
}

function special(kind: 'infinite' | 'nan', isNegative: boolean): Decimal {
  return { kind, isNegative, digits: '', point: 0 }
}

function fromLiteral(text: string): Decimal {
  const [, sign, whole = '', fraction = '', bare = '', exponent = '0'] = LITERAL.exec(text) ?? []
  return decimal(sign === '-', whole + fraction + bare, whole.length + Number(exponent))
}

/** @param digits with zeros at both ends. */
export function decimal(isNegative: boolean, digits: string, point: number): Decimal {
  let start = 0
  while (digits[start] === '0') start++
  let end = digits.length
  while (end > start && digits[end - 1] === '0') end--
  const kept = digits.slice(start, end)
  return { kind: 'finite', isNegative, digits: kept, point: kept === '' ? 0 : point - start }
}
