/** JSON whose integers keep every digit, as Python has them: a seed may have twenty. */

/** An integer that JavaScript would round; `JSON.stringify` writes its digits. */
export interface Digits {
  readonly rawJSON: string
}

// Node has them since version 21, and TypeScript does not know them yet.
const { rawJSON, isRawJSON, parse } = JSON as unknown as {
  rawJSON: (text: string) => Digits
  isRawJSON: (value: unknown) => boolean
  parse: (
    text: string,
    revive: (key: string, value: unknown, context: { source?: string }) => unknown,
  ) => unknown
}

export function parseExact(text: string): unknown {
  return parse(text, (_, value, { source }) =>
    typeof value === 'number' && source !== undefined ? toExact(source, value) : value,
  )
}

/** @param digits of an integer, or any other number. */
export function toExact(digits: string, value = Number(digits)): number | Digits {
  if (!/^-?\d+$/.test(digits) || Number.isSafeInteger(value)) return value
  return rawJSON(digits)
}

export function isDigits(value: unknown): value is Digits {
  return isRawJSON(value)
}

/** The largest seed, 2^64 - 1, is written as 2^64 in the code, because a number cannot be it. */
export const MAX_SEED = 2 ** 64
export const MAX_SEED_DIGITS = '18446744073709551615'

/** For `JSON.stringify`. */
export function withExactMax(key: string, value: unknown): unknown {
  return key === 'max' && value === MAX_SEED ? rawJSON(MAX_SEED_DIGITS) : value
}
