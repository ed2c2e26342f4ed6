/**
 * Words of the same meaning. A model asks in the words of its task, not in those of the tool's author: "picture" for
 * `generate_image`.
 */
import { MEANINGS, PHRASES } from './meanings.ts'
import { stem } from './words.ts'

/** Read once, while the component is built. Texts instead of sets: the file of the component contains them. */
const related = new Map<string, string>()
for (const line of MEANINGS.trim().split('\n')) {
  const words = line.split(' ').map(stem)
  for (const word of words) {
    const others = words.filter((other) => other !== word).join(' ')
    const known = related.get(word)
    related.set(word, known === undefined ? others : `${known} ${others}`)
  }
}

/** @param word as `wordsOf` returns it; so are the results. */
export function relatedTo(word: string): Iterable<string> {
  return new Set(related.get(word)?.split(' '))
}

/** The query with one word for each phrase that means it. */
export function withoutPhrases(query: string): string {
  return PHRASES.reduce((text, [phrase, meaning]) => text.replace(phrase, meaning), query)
}
