/** JSON of a stranger in which no name comes twice. */
import { isObject } from 'ftl-contract'

/** Levels of objects and arrays. Claims of common issuers have three or four. */
const MAX_DEPTH = 16

const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\]:]/g

/**
 * `JSON.parse` for one object, without the freedom that it leaves to parsers: two programs that read another one of two
 * equal names take the same token for different ones.
 *
 * @returns `undefined` if the text is not a JSON object, repeats a name, or nests deeper than 16 levels.
 * @see https://www.rfc-editor.org/rfc/rfc7519#section-4
 */
export function parseStrictObject(text: string): Record<string, unknown> | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  return isObject(value) && isStrict(text) ? value : undefined
}

/** @param text valid JSON. */
function isStrict(text: string): boolean {
  /** The names of each open object; `undefined` for an array. */
  const open: (Set<string> | undefined)[] = []
  let last = ''
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === '{' || token === '[') {
      if (open.length === MAX_DEPTH) return false
      open.push(token === '{' ? new Set() : undefined)
    } else if (token === '}' || token === ']') open.pop()
    else if (token === ':') {
      const name = last.includes('\\') ? (JSON.parse(last) as string) : last.slice(1, -1)
      const names = open.at(-1)
      if (!names || names.has(name)) return false
      names.add(name)
    } else last = token
  }
  return true
}
