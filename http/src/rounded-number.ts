/**
 * Numbers that JSON has and JavaScript has not: integers beyond 2^53, such as ids of other systems, and `1e400`. They would be
 * passed on as other numbers without a message.
 */

/** A text without any of these has no such number. Most texts end here. */
const MAY_HAVE = /\d{16}|\d[eE]\+?\d{2}/
/**
 * In a component, the search takes 50 ns a character, a quarter of a second for 4 MB. A text this long with few members is one of
 * prose or of a file: looking at the members is faster.
 */
const LONG = 20_000
const FEW_MEMBERS = 1000
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
  let members = text.length < LONG ? FEW_MEMBERS : 0
  let written: Set<string> | undefined
  const rest: [path: string, value: unknown][] = [['', value]]
  for (;;) {
    const last = rest.pop()
    if (!last) return undefined
    const [path, next] = last
    if (next && typeof next === 'object') {
      const isList = Array.isArray(next)
      if (members <= FEW_MEMBERS) {
        members += (isList ? next : Object.keys(next)).length
        if (members > FEW_MEMBERS && !MAY_HAVE.test(text)) return undefined
      }
      for (const [key, member] of Object.entries(next).reverse()) {
        if (typeof member !== 'number' && typeof member !== 'object') continue
        rest.push([isList ? `${path}[${key}]` : path + (path && '.') + key.slice(0, 64), member])
      }
    }
    const size = typeof next === 'number' ? Math.abs(next) : 0
    if (size < 2 ** 53) continue
    // It is written again in the fewest digits, which others read as another number even where this one is exact.
    written ??= new Set(text.match(LARGE)?.map(asWritten))
    if (size === Infinity || !written.has(String(size))) return path
  }
}

/** A number that is written as a power says itself that it is not exact. */
function asWritten(digits: string): string {
  return /e/i.test(digits) ? String(Number(digits)) : digits.replace(/\.0+$/, '')
}

/** What to do about it, for the one who has sent it: goes on from a name of the place. */
export const ROUNDED = 'is too large to be passed on exactly (beyond 2^53): send it as a string'
