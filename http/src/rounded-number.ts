/**
 * Numbers that JSON has and JavaScript has not: integers beyond 2^53, such as ids of other systems, and `1e400`. They would be
 * passed on as other numbers without a word.
 */

/** A text without any of these has no such number. The search is native, and most texts end here. */
const MAY_HAVE = /\d{16}|\d[eE]\+?\d{2}/
/** A number that is written as a power says itself that it is not exact. */
const POWERS = /\d+(?:\.\d+)?[eE]\+?\d{1,4}/g

/**
 * @param text JSON that `value` is part of.
 * @returns where in `value` the first number is that is not the one in the text: `ids[0]`, or empty for `value` itself.
 */
export function roundedNumber(text: string, value: unknown): string | undefined {
  if (!MAY_HAVE.test(text)) return undefined
  let powers: Set<number> | undefined
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
    if (text.includes(String(Math.abs(next)))) continue
    powers ??= new Set(text.match(POWERS)?.map(Number))
    if (Math.abs(next) === Infinity || !powers.has(Math.abs(next))) return path
  }
}

/** What to do about it, for the one who has sent it: goes on from a name of the place. */
export const ROUNDED = 'is too large to be passed on exactly (beyond 2^53): send it as a string'
