/** Searches the index: BM25 over the fields of the tools, where words of one meaning count as one word. */
import { HINTS, type Hint } from '../policy/policy.ts'
import { hintOf } from '../policy/annotations.ts'
import { type IndexedTool, type IndexText, readPostings } from './index-text.ts'
import { relatedTo } from './related-words.ts'
import { wordsOf } from './words.ts'

export interface SearchOptions {
  /** Tools of this component only. @default of every component */
  component?: string | undefined
  /** Tools whose hints have these values; a hint that a tool does not state has the default of the specification. */
  annotations?: Readonly<Partial<Record<Hint, boolean>>> | undefined
  /**
   * Whether the caller may see a tool. The result is the same as if the others did not exist: their words do not count
   * either.
   *
   * @default every tool
   */
  permits?:
    ((tool: IndexedTool, annotations: Readonly<Record<string, boolean>>) => boolean) | undefined
  limit: number
}

export interface SearchResult {
  /** The best first. */
  found: (IndexedTool & { score: number })[]
  /** How many tools have any of the words. */
  matches: number
}

/** Words of a query that are read. */
const MOST_WORDS = 24
/** A related word counts this much. */
const RELATED = 0.6

export function search(
  index: IndexText,
  query: string,
  { limit, ...filters }: SearchOptions,
): SearchResult {
  const words = [...new Set(wordsOf(query, MOST_WORDS))]
  const isIn = filterOf(index, filters)
  const total = filters.permits ? count(index.size, isIn.permitted) : index.size
  const scores = new Map<number, number>()
  for (const word of words) {
    const best = bestWeights(index, word, isIn.permitted)
    const idf = Math.log(1 + (total - best.size + 0.5) / (best.size + 0.5))
    for (const [place, weight] of best) scores.set(place, (scores.get(place) ?? 0) + idf * weight)
  }
  // Without a query: all tools, in the order of the list.
  if (query.trim() === '') {
    for (let place = 0; place < index.size; place++) if (isIn.permitted(place)) scores.set(place, 0)
  }
  const ranked = [...scores].filter(([place]) => isIn.filtered(place))
  // Tools with the same score stay in the order of the list.
  ranked.sort(([a, x], [b, y]) => y - x || a - b)
  return {
    found: ranked.slice(0, limit).map(([place, score]) => ({ ...index.tool(place), score })),
    matches: ranked.length,
  }
}

/** For each tool that has the word or a related one, the highest weight. */
function bestWeights(
  index: IndexText,
  word: string,
  isPermitted: (place: number) => boolean,
): Map<number, number> {
  const best = new Map<number, number>()
  const read = (term: string, factor: number) => {
    const postings = index.postings(term)
    if (postings === undefined) return
    readPostings(postings, (place, weight) => {
      const before = best.get(place)
      if (before === undefined ? isPermitted(place) : before < weight * factor)
        best.set(place, weight * factor)
    })
  }
  read(word, 1)
  for (const related of relatedTo(word)) read(related, RELATED)
  return best
}

function filterOf(
  index: IndexText,
  { component, annotations = {}, permits }: Omit<SearchOptions, 'limit'>,
) {
  const known: (boolean | undefined)[] = []
  const wanted = HINTS.filter((hint) => annotations[hint] !== undefined)
  return {
    permitted: permits
      ? (place: number) => (known[place] ??= permits(index.tool(place), index.annotations(place)))
      : () => true,
    filtered(place: number) {
      if (component !== undefined && index.componentAt(place) !== component) return false
      if (wanted.length === 0) return true
      const stated = index.annotations(place)
      return wanted.every((hint) => hintOf(stated, hint) === annotations[hint])
    },
  }
}

function count(size: number, is: (place: number) => boolean): number {
  let number = 0
  for (let place = 0; place < size; place++) if (is(place)) number++
  return number
}
