/**
 * Numbers that JSON has and JavaScript has not: integers beyond 2^53, such as ids of other systems, and `1e400`. They would be
 * passed on as other numbers without a message.
 */

/** A text without any of these has no such number. The search is native, and most texts end here. */
const MAY_HAVE = /\d{16}|\d[eE]\+?\d{2}/
/**
 * Numbers that may be so large, each found at its first digit only: to begin at every digit of a long row would take hours.
 * Without a power of two digits it has seven digits at least; a longer one than 400 does not fit a number of JavaScript.
 */
const LARGE = /(?<![\d.eE+])\d(?=[\d.]{6}|[\d.]{0,5}[eE]\+?\d\d)[\d.eE+]{0,400}/g

/**
 * @param text JSON that `value` is part of.
 * @returns where in `value` the first number is that is not the one in the text: `ids[0]`, or empty for `value` itself.
 */
export function roundedNumber(text: string, value: unknown): string | undefined {
  if (!MAY_HAVE.test(text)) return undefined
  let written: Set<string> | undefined
  const rest: [path: string, value: unknown][] = [['', value]]
  for (;;) {
    const [path, next] = rest.pop() ?? []
    if (path === undefined) return undefined
    if (typeof next === 'object' && next !== null) {
      const isList = Array.isArray(next)
      for (const [key, member] of Object.entries(next).reverse()) {
        if (typeof member !== 'number' && typeof member !== 'object') continue
        rest.push([isList ? `${path}[${key}]` : path + (path && '.') + key.slice(0, 64), member])
      }
    }
    if (typeof next !== 'number' || Math.abs(next) <= Number.MAX_SAFE_INTEGER) continue
    // It is written again in the fewest digits, which others read as another number even where this one is exact.
    written ??= new Set(text.match(LARGE)?.map(asWritten))
    if (Math.abs(next) === Infinity || !written.has(String(Math.abs(next)))) return path
  }
}

/** A number that is written as a power says itself that it is not exact. */
function asWritten(digits: string): string {
  return /e/i.test(digits) ? String(Number(digits)) : digits.replace(/\.0+$/, '')
}

/** What to do about it, for the one who has sent it: goes on from a name of the place. */
export const ROUNDED = 'is too large to be passed on exactly (beyond 2^53): send it as a string'
