/** Reads a list page by page. A server may page in circles, without an end, or name the same thing twice. */

export interface Listed<T> {
  entries: readonly T[]
  /** Of the next page, if there is one and it may be read. */
  cursor: string | undefined
  /** What is wrong with the list, for the user. */
  notes: readonly string[]
}

export interface Page {
  entries: readonly unknown[]
  cursor: string | undefined
}

interface PagesOptions<T> {
  ask: (cursor: string | undefined) => Promise<Page>
  read: (value: unknown) => readonly T[]
  keyOf: (entry: T) => string
  /** What was read before. @default nothing */
  from?: Listed<T>
}

/** Pages that are read without the user. */
const PAGES_AT_ONCE = 20
export const MOST_ENTRIES = 10_000

export async function readPages<T>({
  ask,
  read,
  keyOf,
  from,
}: PagesOptions<T>): Promise<Listed<T>> {
  const entries = new Map((from?.entries ?? []).map((entry) => [keyOf(entry), entry] as const))
  const seen = new Set<string>()
  const notes = new Set(from?.notes)
  let cursor = from?.cursor
  let isTwice = false
  for (let count = 0; count < PAGES_AT_ONCE; count++) {
    const page = await ask(cursor)
    const before = entries.size
    for (const value of page.entries) {
      if (entries.size >= MOST_ENTRIES) break
      for (const entry of read(value)) {
        if (entries.has(keyOf(entry))) isTwice = true
        else entries.set(keyOf(entry), entry)
      }
    }
    if (isTwice) notes.add('The server lists some entries twice; each is shown once.')
    if (cursor !== undefined) seen.add(cursor)
    cursor = page.cursor
    const isEnd = cursor === undefined
    const isCircle =
      cursor !== undefined && (seen.has(cursor) || (count > 0 && entries.size === before))
    if (isCircle) notes.add('The pages of the list go in a circle. The list ends here.')
    const isFull = !isEnd && entries.size >= MOST_ENTRIES
    if (isFull) notes.add('The list goes on after 10,000 entries. The others are not shown.')
    if (isEnd || isCircle || isFull)
      return { entries: [...entries.values()], cursor: undefined, notes: [...notes] }
  }
  return { entries: [...entries.values()], cursor, notes: [...notes] }
}
