import {
  BRITISH_NAMES,
  BRITISH_SYMBOLS,
  NAMES,
  NARROW_SYMBOLS,
  NO_DIGITS,
  SYMBOLS,
  THREE_DIGITS,
} from '../data/currencies.ts'

/** How many digits amounts of the currency have after the point. */
export function minorDigits(code: string): number {
  if (NO_DIGITS.includes(code)) return 0
  return THREE_DIGITS.includes(code) ? 3 : 2
}

export function currencySymbol(code: string, isNarrow: boolean, isBritish: boolean): string {
  return (
    (isNarrow ? entryOf(NARROW_SYMBOLS, code) : undefined) ??
    (isBritish ? entryOf(BRITISH_SYMBOLS, code) : undefined) ??
    entryOf(SYMBOLS, code) ??
    code
  )
}

/** Such as `US dollars`, or the code if it has none. */
export function currencyName(code: string, isOne: boolean, isBritish: boolean): string {
  const entry = (isBritish ? entryOf(BRITISH_NAMES, code) : undefined) ?? entryOf(NAMES, code)
  if (entry === undefined) return code
  const [one = '', other] = entry.split('=')
  if (isOne || other === undefined) return one
  // Most plurals only add an s.
  return other === '' ? `${one}s` : other
}

function entryOf(table: string, code: string): string | undefined {
  const at = table.indexOf(`|${code}`)
  return at < 0 ? undefined : table.slice(at + 1 + code.length, table.indexOf('|', at + 1))
}
