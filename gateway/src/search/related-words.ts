/**
 * Words of the same meaning. A model asks in the words of its task, not in those of the tool's author: "picture" for
 * `generate_image`.
 */
import { MEANINGS, PHRASES } from './meanings.ts'
import { stem } from './words.ts'

/** Read once, while the component is built. */
const related = new Map<string, Set<string>>()
for (const line of MEANINGS.trim().split('\n')) {
  const words = line.split(' ').map(stem)
  for (const word of words) {
    const others = related.get(word) ?? new Set()
    for (const other of words) if (other !== word) others.add(other)
    related.set(word, others)
  }
}

/** @param word as `wordsOf` returns it; so are the results. */
export function relatedTo(word: string): Iterable<string> {
  return related.get(word) ?? []
}

/** The query with one word for each phrase that means it. */
export function withoutPhrases(query: string): string {
  return PHRASES.reduce((text, [phrase, meaning]) => text.replace(phrase, meaning), query)
}
