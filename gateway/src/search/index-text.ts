/**
 * The search index as one text, which a request can search without parsing all of it.
 *
 * An instance of the gateway answers one request, in an interpreter: to parse the descriptions of 2,000 tools would take
 * longer than the search. So a word is found by `indexOf`, and only what it matches is decoded:
 *
 *     {"version":1,"components":[["files",12],…],"hints":"]…"}      what filters need, as JSON
 *     ["read_file","Returns the text of a file."]                    a line for each tool
 *
 *     branch 3 2KZ1fB                                                a line for each word: how many tools have it, and
 *                                                                    for each the distance from the one before and a weight
 */
import { isObject, isString } from 'ftl-contract'
import { jsonIn } from 'ftl-http'
import { HINTS, stateOf } from '../catalog/annotation-hints.ts'

/** Changes with everything that makes old indexes unusable, also with the way that words are cut. */
export const INDEX_VERSION = 1

/** What the index knows of a tool. */
export interface IndexedTool {
  /** Place in the index: tools are in the order of the list. */
  place: number
  name: string
  component: string
  /** The beginning of its description. */
  summary: string
  /** As its component published it, if it is listed under another name. */
  ownName?: string
}

export interface IndexHead {
  version: number
  /** Which catalog it was made from. */
  digest: string
  /** The components in the order of the list, and how many tools each has. */
  components: [component: string, tools: number][]
  /** A character for the annotations of each tool. */
  hints: string
}

/** Weights of a word in a tool: a letter, from A for the least. */
const WEIGHTS = 26
const A = 65

/** @param docs the places of the tools that have the word, ascending, and its weight in each, from 0 to below 1. */
export function termLine(
  term: string,
  docs: readonly (readonly [place: number, weight: number])[],
): string {
  let before = -1
  const postings = docs.map(([place, weight]) => {
    const distance = place - before - 1
    before = place
    const letter = String.fromCharCode(A + Math.min(WEIGHTS - 1, Math.floor(weight * WEIGHTS)))
    return (distance === 0 ? '' : distance.toString(36)) + letter
  })
  return `${term} ${postings.join('')}`
}

/** The tools that have the word, and its weight in each. @param isIn leaves out others. @default all of them */
export function readPostings(
  text: string,
  isIn?: (place: number) => boolean,
): { places: number[]; weights: number[] } {
  const places: number[] = []
  const weights: number[] = []
  let place = -1
  let distance = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= A && code < A + WEIGHTS) {
      place += distance + 1
      distance = 0
      if (isIn && !isIn(place)) continue
      places.push(place)
      weights.push((code - A + 0.5) / WEIGHTS)
    } else distance = distance * 36 + (code >= 97 ? code - 87 : code - 48)
  }
  return { places, weights }
}

/** The stated hints in one character: for each of them absent, false or true. */
export function packHints(annotations: unknown): string {
  let code = 0
  for (const hint of HINTS) {
    const stated = stateOf(annotations, hint)
    code = code * 3 + (stated === undefined ? 0 : stated ? 2 : 1)
  }
  return String.fromCharCode(FIRST_HINT + code)
}

/** Behind the characters that JSON escapes. */
const FIRST_HINT = 0x5d

function unpackHints(hints: string, place: number): Record<string, boolean> {
  let code = hints.charCodeAt(place) - FIRST_HINT
  const stated: Record<string, boolean> = {}
  for (const hint of HINTS.toReversed()) {
    if (code % 3 > 0) stated[hint] = code % 3 === 2
    code = Math.floor(code / 3)
  }
  return stated
}

/** An index that was read from the store. */
export class IndexText {
  readonly head: IndexHead
  readonly #tools: string[]
  readonly #terms: string

  private constructor(head: IndexHead, tools: string[], terms: string) {
    this.head = head
    this.#tools = tools
    this.#terms = terms
  }

  /** @returns `undefined` for what is not an index of this version. */
  static of(text: string): IndexText | undefined {
    const headEnd = text.indexOf('\n')
    const toolsEnd = text.indexOf('\n\n')
    if (headEnd < 0 || toolsEnd < 0) return undefined
    const head = jsonIn(text.slice(0, headEnd))
    if (!isObject(head) || head.version !== INDEX_VERSION) return undefined
    const tools = toolsEnd === headEnd ? [] : text.slice(headEnd + 1, toolsEnd).split('\n')
    return new IndexText(head as unknown as IndexHead, tools, text.slice(toolsEnd + 1))
  }

  get size(): number {
    return this.#tools.length
  }

  tool(place: number): IndexedTool {
    const line = jsonIn(this.#tools[place] ?? '')
    const [name, summary, ownName] = Array.isArray(line) ? line.filter(isString) : []
    return {
      place,
      name: name ?? '',
      summary: summary ?? '',
      component: this.componentAt(place),
      ...(ownName !== undefined && { ownName }),
    }
  }

  componentAt(place: number): string {
    let end = 0
    for (const [component, tools] of this.head.components) {
      end += tools
      if (place < end) return component
    }
    return ''
  }

  annotations(place: number): Record<string, boolean> {
    return unpackHints(this.head.hints, place)
  }

  /** The tools that have the word. @param term as `wordsOf` returns it. */
  postings(term: string): string | undefined {
    const start = this.#terms.indexOf(`\n${term} `)
    if (start < 0) return undefined
    const from = start + term.length + 2
    const end = this.#terms.indexOf('\n', from)
    return this.#terms.slice(from, end < 0 ? undefined : end)
  }
}

export function indexText(
  head: IndexHead,
  tools: readonly Omit<IndexedTool, 'place' | 'component'>[],
  terms: readonly string[],
): string {
  const lines = tools.map(({ name, summary, ownName }) =>
    JSON.stringify(ownName === undefined ? [name, summary] : [name, summary, ownName]),
  )
  return [JSON.stringify(head), ...lines, '', ...terms, ''].join('\n')
}
