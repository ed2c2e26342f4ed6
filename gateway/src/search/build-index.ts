/** Makes the search index of a catalog. */
import { isObject, isString } from 'ftl-contract'
import type { CatalogTool } from '../catalog/catalog.ts'
import { INDEX_VERSION, indexText, packHints, termLine } from './index-text.ts'
import { summaryOf } from './summary.ts'
import { wordsOf } from './words.ts'

/** What an index is made of. */
export type IndexedDescription = Pick<CatalogTool, 'name' | 'component' | 'description'>

/**
 * Fields of a tool. A word in a field counts `weight`, at most {@link MOST} times, and less in a long field. Only the first
 * `words` are read. So a component that repeats or lists words gains little by it.
 */
const FIELDS = {
  name: { weight: 4, words: 12, usual: 3 },
  title: { weight: 2, words: 12, usual: 3 },
  description: { weight: 2, words: 120, usual: 14 },
  component: { weight: 1.5, words: 6, usual: 1 },
  parameters: { weight: 1, words: 60, usual: 6 },
  parameterTexts: { weight: 0.6, words: 160, usual: 20 },
}

const MOST = 2
/** How much a long field reduces the weight of each word: 0 not, 1 in proportion. */
const B = 0.4
/** A word that counts this much has half of the highest weight. */
const K = 2.5

/** @param digest of the catalog. @param tools sorted by component, as they are listed. */
export function buildIndex(tools: readonly IndexedDescription[], digest: string): string {
  const builder = new IndexBuilder()
  for (const tool of tools) builder.add(tool)
  return builder.text(digest)
}

/** Makes an index tool by tool, so that a request which makes a large one can pause. */
export class IndexBuilder {
  readonly #words = new Map<string, string[]>()
  readonly #terms = new Map<string, [place: number, weight: number][]>()
  readonly #components: [component: string, tools: number][] = []
  readonly #tools: Parameters<typeof indexText>[1][number][] = []
  #hints = ''

  add(tool: IndexedDescription): void {
    const { name, component, description } = tool
    const last = this.#components.at(-1)
    if (last?.[0] === component) last[1]++
    else this.#components.push([component, 1])
    this.#hints += packHints(description.annotations)
    const place = this.#tools.length
    for (const [term, count] of weightsOf(tool, this.#words)) {
      const posting: [number, number] = [place, count / (K + count)]
      const postings = this.#terms.get(term)
      if (postings) postings.push(posting)
      else this.#terms.set(term, [posting])
    }
    const ownName = description.name === name ? undefined : description.name
    this.#tools.push({
      name,
      summary: summaryOf(description),
      ...(ownName !== undefined && { ownName }),
    })
  }

  text(digest: string): string {
    const head = {
      version: INDEX_VERSION,
      digest,
      components: this.#components,
      hints: this.#hints,
    }
    const terms = [...this.#terms].map(([term, postings]) => termLine(term, postings))
    return indexText(head, this.#tools, terms)
  }
}

function weightsOf(tool: IndexedDescription, known: Map<string, string[]>): Map<string, number> {
  const { name, title, description = '', inputSchema } = tool.description
  const parameters = parametersOf(inputSchema)
  const texts: Record<keyof typeof FIELDS, string> = {
    name,
    title: title ?? '',
    description,
    component: tool.component,
    parameters: parameters.names.join(' '),
    parameterTexts: parameters.texts.join(' '),
  }
  const weights = new Map<string, number>()
  for (const [field, { weight, words: limit, usual }] of Object.entries(FIELDS)) {
    const text = texts[field as keyof typeof FIELDS]
    if (text === '') continue
    const words = known.get(text) ?? wordsOf(text, limit)
    // Components and parameters have the same names again and again.
    if (text.length < 20) known.set(text, words)
    const each = weight / (1 - B + (B * words.length) / usual)
    const counts = new Map<string, number>()
    for (const word of words) {
      const count = counts.get(word) ?? 0
      if (count === MOST) continue
      counts.set(word, count + 1)
      weights.set(word, (weights.get(word) ?? 0) + each)
    }
  }
  return weights
}

/** Levels of nested parameters that are read. */
const DEPTH = 3
const MOST_PARAMETERS = 60

function parametersOf(schema: unknown): { names: string[]; texts: string[] } {
  const names: string[] = []
  const texts: string[] = []
  const read = (value: unknown, depth: number) => {
    if (!isObject(value) || depth > DEPTH) return
    const { properties, items } = value
    if (isObject(items)) read(items, depth + 1)
    for (const [name, property] of isObject(properties) ? Object.entries(properties) : []) {
      if (names.length === MOST_PARAMETERS) return
      names.push(name)
      if (!isObject(property)) continue
      if (isString(property.description)) texts.push(property.description)
      if (Array.isArray(property.enum))
        texts.push(property.enum.filter(isString).slice(0, 20).join(' '))
      read(property, depth + 1)
    }
  }
  read(schema, 0)
  return { names, texts }
}
