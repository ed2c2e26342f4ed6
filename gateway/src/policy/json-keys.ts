/** Keys that come twice in one object of a JSON text: `JSON.parse` keeps the last one and says nothing. */

/**
 * Whether a key is lost when the text is parsed. Every request asks this, so it counts quotes, which the engine does
 * faster than any regular expression: a lost key takes at least two with it.
 *
 * @param strings how many keys and other strings there are in what `JSON.parse` made of the text.
 */
export function hasRepeatedKey(text: string, strings: number): boolean {
  if (text.includes('\\')) return findRepeatedKey(text) !== undefined
  return text.length - text.replaceAll('"', '').length !== 2 * strings
}

const TOKENS = /"(?:[^"\\]|\\.)*"|[{}:]/g

/** @param text valid JSON. */
export function findRepeatedKey(text: string): string | undefined {
  const open: Set<string>[] = []
  let last = ''
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === '{') open.push(new Set())
    else if (token === '}') open.pop()
    else if (token !== ':') last = token
    else {
      const key = JSON.parse(last) as string
      const keys = open.at(-1)
      if (keys?.has(key)) return key
      keys?.add(key)
    }
  }
  return undefined
}
