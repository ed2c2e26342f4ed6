/** The announced length of a message. */
import type { HeaderEntry } from './header-rules.ts'

/** Fifteen digits stay exact as a number. A sign, a list or a space is read differently by different programs. */
const DECIMAL = /^\d{1,15}$/

/**
 * The length that `content-length` announces.
 *
 * @param headers with names in lower case.
 * @returns `undefined` without one, `'invalid'` for one that is not a decimal number and for several that differ.
 */
export function announcedLength(headers: readonly HeaderEntry[]): number | 'invalid' | undefined {
  let length: number | undefined
  for (const [name, value] of headers) {
    if (name !== 'content-length') continue
    if (!DECIMAL.test(value)) return 'invalid'
    const announced = Number(value)
    if (length !== undefined && length !== announced) return 'invalid'
    length = announced
  }
  return length
}
