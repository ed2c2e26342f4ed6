/**
 * What stands for a function of a part that a component was built without, because no module of it has a word for the
 * part: see `imports` in package.json.
 *
 * @param words of which one would have brought the part.
 */
export function absent(...words: string[]): () => never {
  return () => {
    throw new Error(`left out when it was built: no module has the word ${words.join(' or ')}`)
  }
}
