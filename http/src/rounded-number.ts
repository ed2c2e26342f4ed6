/**
 * Numbers that JSON has and JavaScript has not: integers beyond 2^53, such as ids of other systems, and `1e400`. They would be
 * passed on as other numbers without a word.
 */

/** Where there is none of these, there is no such number. Native, and most texts end here. */
const MAY_HAVE = /\d{16}|\d[eE]\+?\d{2}/
/** A number that is written as a power says itself that it is not exact. */
const POWERS = /\d+(?:\.\d+)?[eE]\+?\d{1,4}/g

/**
 * @param text JSON that `value` is part of.
 * @returns the first number in `value` that is not the one in the text.
 */
export function roundedNumber(text: string, value: unknown): number | undefined {
  if (!MAY_HAVE.test(text)) return undefined
  let powers: Set<number> | undefined
  const rest: unknown[] = [value]
  while (rest.length > 0) {
    const next = rest.pop()
    if (typeof next === 'object' && next !== null) {
      for (const member of Object.values(next)) {
        if (typeof member === 'number' || typeof member === 'object') rest.push(member)
      }
    }
    if (typeof next !== 'number' || Number.isSafeInteger(next)) continue
    if (Number.isFinite(next) && !Number.isInteger(next)) continue
    // It is written again in the fewest digits, which others read as another number even where this one is exact.
    if (text.includes(String(Math.abs(next)))) continue
    powers ??= new Set(text.match(POWERS)?.map(Number))
    if (!Number.isFinite(next) || !powers.has(Math.abs(next))) return next
  }
  return undefined
}

/** What to do about it, for the one who has sent it: goes on from a name of the place. */
export const ROUNDED =
  'has a number that is too large to be passed on exactly (beyond 2^53): send it as a string'
