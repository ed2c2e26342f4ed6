/**
 * Numbers that JSON has and JavaScript has not: integers beyond 2^53, such as ids of other systems, and `1e400`. They would be
 * passed on as other numbers without a message.
 */

/** A text without any of these has no such number. Most texts end here. */
const MAY_HAVE = /\d{16}|\d[eE]\+?\d{2}/
/**
 * Members that are looked at before the text is searched. In a component, the search takes 50 ns a character: of a text of prose or
 * of a file, looking at the members is faster.
 */
const FEW_MEMBERS = 1000
/** A number that is as large as this may be another one than was written. */
const LARGEST = 2 ** 53
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
  if (value === undefined) return undefined
  let members = 0
  let written: Set<string> | undefined
  const rest: [path: string, value: unknown][] = [['', value]]
  for (;;) {
    const last = rest.pop()
    if (!last) return undefined
    const [path, next] = last
    if (next && typeof next === 'object') {
      const isList = Array.isArray(next)
      const keys = isList ? undefined : Object.keys(next)
      const count = keys?.length ?? (next as unknown[]).length
      if (members <= FEW_MEMBERS) {
        members += count
        if (members > FEW_MEMBERS && !MAY_HAVE.test(text)) return undefined
      }
      // From behind, so that the first one is looked at next.
      for (let index = count - 1; index >= 0; index--) {
        const key = keys?.[index] ?? index
        const member = (next as Record<string | number, unknown>)[key]
        const mayBe =
          typeof member === 'number'
            ? Math.abs(member) >= LARGEST
            : typeof member === 'object' && member !== null
        if (mayBe) rest.push([pathOf(path, key), member])
      }
      continue
    }
    const size = typeof next === 'number' ? Math.abs(next) : 0
    if (size < LARGEST) continue
    // It is written again in the fewest digits, which others read as another number even where this one is exact.
    written ??= new Set(text.match(LARGE)?.map(asWritten))
    if (size === Infinity || !written.has(String(size))) return path
  }
}

/** @param key a name, or a place in a list. */
function pathOf(path: string, key: string | number): string {
  return typeof key === 'number' ? `${path}[${key}]` : path + (path && '.') + key.slice(0, 64)
}

/** A number that is written as a power says itself that it is not exact. */
function asWritten(digits: string): string {
  return /e/i.test(digits) ? String(Number(digits)) : digits.replace(/\.0+$/, '')
}

/** What to do about it, for the one who has sent it: goes on from a name of the place. */
export const ROUNDED = 'is too large to be passed on exactly (beyond 2^53): send it as a string'
