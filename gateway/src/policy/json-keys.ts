/** Keys that come twice in one object of a JSON text: `JSON.parse` keeps the last one and says nothing. */

const STRINGS = /"(?:[^"\\]|\\.)*"/g

/** How many keys the text has. @param text valid JSON. */
export function keyCount(text: string): number {
  return text.replace(STRINGS, '').split(':').length - 1
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
