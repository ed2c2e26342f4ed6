/**
 * Words of the same meaning. A model asks in the words of its task, not in those of the tool's author: "picture" for
 * `generate_image`.
 */
import { SYNONYMS, PHRASES } from './synonyms.ts'
import { stem } from './words.ts'

/**
 * A line for each meaning, made while the component is built. One text instead of a map of lists: the file of the component
 * contains it, and a query looks for a few words only.
 */
const LINES = SYNONYMS.trim()
  .split('\n')
  .map((line) => `\n ${line.split(' ').map(stem).join(' ')} `)
  .join('')

/** @param word as `wordsOf` returns it; so are the results. */
export function relatedTo(word: string): Iterable<string> {
  const related = new Set<string>()
  const wanted = ` ${word} `
  for (let at = LINES.indexOf(wanted); at >= 0; at = LINES.indexOf(wanted, at + 1)) {
    const end = LINES.indexOf('\n', at)
    const line = LINES.slice(LINES.lastIndexOf('\n', at) + 1, end < 0 ? undefined : end)
    for (const other of line.trim().split(' ')) if (other !== word) related.add(other)
  }
  return related
}

/** The query with one word for each phrase that means it. */
export function withoutPhrases(query: string): string {
  return PHRASES.reduce((text, [phrase, meaning]) => text.replace(phrase, meaning), query)
}
