/** Searches the index: BM25 over the fields of the tools, where words of one meaning count as one word. */
import { HINTS, type Hint } from '../catalog/annotation-hints.ts'
import { hintOf } from '../catalog/annotation-hints.ts'
import { type IndexedTool, type IndexText, readPostings } from './index-text.ts'
import { isPermitted } from '../catalog/permitted-places.ts'
import { bestOf } from './best-of.ts'
import { relatedTo, withoutPhrases } from './related-words.ts'
import { LONGEST_QUERY } from '../calls/search-limits.ts'
import { wordsOf } from './words.ts'

export interface SearchOptions {
  /** Tools of this component only. @default of every component */
  component?: string | undefined
  /** Tools whose hints have these values; a hint that a tool does not state has the default of the specification. */
  annotations?: Readonly<Partial<Record<Hint, boolean>>> | undefined
  /**
   * The tools that the caller may see (`permitted-places.ts`). The result is the same as if the others did not exist: their
   * words do not count either.
   *
   * @default every tool
   */
  permitted?: string | undefined
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
const RELATED = 0.7
/** And a further one of the same meaning that much of this. */
const ALSO = 0.4

export function search(
  index: IndexText,
  query: string,
  { limit, ...filters }: SearchOptions,
): SearchResult {
  const text = withoutPhrases(query.slice(0, LONGEST_QUERY).toLowerCase())
  const words = [...new Set(wordsOf(text, MOST_WORDS))]
  const isIn = filterOf(index, filters)
  const { size } = index
  const total = isIn.permitted ? count(size, isIn.permitted) : size
  const scores = new Scores(size)
  for (const word of words) scores.add(scoresOf(index, word, total, isIn.permitted))
  // Without a word to search for: all tools, in the order of the list.
  const places = words.length === 0 ? allPlaces(size, isIn.permitted) : scores.places
  const matching = isIn.filtered ? places.filter(isIn.filtered) : places
  const chosen =
    words.length === 0
      ? matching.slice(0, limit)
      : bestOf(matching, scores.values, index.head.components, limit)
  return {
    found: chosen.map((place) => ({
      ...index.tool(place),
      score: scores.values[place] as number,
    })),
    matches: matching.length,
  }
}

/** A number for each tool; arrays instead of maps, because this runs in an interpreter. */
class Scores {
  readonly values: Float64Array
  /** The tools with a score. */
  readonly places: number[] = []

  constructor(size: number) {
    this.values = new Float64Array(size)
  }

  /** A tool with several words of one meaning counts a little more than with one. */
  join(place: number, score: number): void {
    const before = this.values[place] as number
    if (before === 0) this.places.push(place)
    this.values[place] = before < score ? score + ALSO * before : before + ALSO * score
  }

  add({ places, values }: Scores): void {
    for (let at = 0; at < places.length; at++) {
      const place = places[at] as number
      if (this.values[place] === 0) this.places.push(place)
      this.values[place] = (this.values[place] as number) + (values[place] as number)
    }
  }
}

/** The score of each tool that has the word or words of its meaning. */
function scoresOf(
  index: IndexText,
  word: string,
  total: number,
  isPermitted: ((place: number) => boolean) | undefined,
): Scores {
  const scores = new Scores(index.size)
  let highest = Infinity
  const read = (term: string, factor: number) => {
    const postings = index.postings(term)
    if (postings === undefined) return
    const { places, weights } = readPostings(postings, isPermitted)
    if (places.length === 0) return
    const own = Math.log(1 + (total - places.length + 0.5) / (places.length + 0.5))
    // A rare related word must not count more than the word itself.
    const idf = Math.min(own, highest) * factor
    if (factor === 1) highest = own
    for (let at = 0; at < places.length; at++) {
      scores.join(places[at] as number, idf * (weights[at] as number))
    }
  }
  read(word, 1)
  for (const related of relatedTo(word)) read(related, RELATED)
  return scores
}

function allPlaces(size: number, isPermitted: ((place: number) => boolean) | undefined): number[] {
  const all = Array.from({ length: size }, (_, place) => place)
  return isPermitted ? all.filter(isPermitted) : all
}

function filterOf(
  index: IndexText,
  { component, annotations = {}, permitted }: Omit<SearchOptions, 'limit'>,
) {
  const wanted = HINTS.filter((hint) => annotations[hint] !== undefined)
  return {
    permitted:
      permitted === undefined ? undefined : (place: number) => isPermitted(permitted, place),
    filtered:
      (component !== undefined || wanted.length > 0) &&
      ((place: number) => {
        if (component !== undefined && index.componentAt(place) !== component) return false
        if (wanted.length === 0) return true
        const stated = index.annotations(place)
        return wanted.every((hint) => hintOf(stated, hint) === annotations[hint])
      }),
  }
}

function count(size: number, is: (place: number) => boolean): number {
  let number = 0
  for (let place = 0; place < size; place++) if (is(place)) number++
  return number
}
