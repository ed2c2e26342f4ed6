/** Finds entries by some of their letters, in order: `gim` finds `generate_image`. */

/** An entry as it is searched, made once for each. */
export interface Searchable {
  /** In lower case. */
  readonly text: string
  /** Less important, such as a description: it is found only as it is written. In lower case. */
  readonly more: string
}

/** Characters. */
const LONGEST_QUERY = 100

const WORD = 8
const NEXT = 5
const WHOLE = 40
const START = 20

/** @returns a greater number for a better match, or `undefined` if it does not match. */
function score({ text, more }: Searchable, query: string): number | undefined {
  if (query === '') return 0
  const at = text.indexOf(query)
  if (at >= 0) {
    const bonus = at === 0 ? START : isWordStart(text, at) ? WORD : 0
    return WHOLE + bonus - text.length / 100
  }
  const letters = scoreLetters(text, query)
  if (letters !== undefined) return letters
  return more.includes(query) ? 1 : undefined
}

function scoreLetters(text: string, query: string): number | undefined {
  let sum = 0
  let at = -1
  for (const letter of query) {
    if (letter === ' ') continue
    const next = text.indexOf(letter, at + 1)
    if (next < 0) return undefined
    if (next === at + 1 && at >= 0) sum += NEXT
    if (isWordStart(text, next)) sum += WORD
    else if (next !== at + 1) sum -= Math.min(next - at, 4)
    at = next
  }
  // A person does not expect a match of letters that are scattered through a long text.
  return sum > 2 * query.length ? sum - text.length / 100 : undefined
}

function isWordStart(text: string, at: number): boolean {
  return at === 0 || /[^\p{L}\p{N}]/u.test(text.charAt(at - 1))
}

/** The best first; those that match equally stay in their order. The words of a query can come in any order. */
export function search<T extends { searchable: Searchable }>(
  entries: readonly T[],
  query: string,
): T[] {
  const wanted = query.slice(0, LONGEST_QUERY).trim().toLowerCase()
  if (wanted === '') return [...entries]
  const words = [...new Set(wanted.split(/\s+/))]
  const found: { entry: T; points: number }[] = []
  for (const entry of entries) {
    const isWhole = words.length === 1 || entry.searchable.text.includes(wanted)
    const points = isWhole
      ? score(entry.searchable, wanted)
      : least(words.map((word) => score(entry.searchable, word)))
    if (points !== undefined) found.push({ entry, points })
  }
  return found.sort((a, b) => b.points - a.points).map(({ entry }) => entry)
}

function least(all: readonly (number | undefined)[]): number | undefined {
  const known = all.filter((one) => one !== undefined)
  return known.length === all.length ? Math.min(...known) : undefined
}
