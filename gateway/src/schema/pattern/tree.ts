/**
 * Reads a regular expression into a tree.
 *
 * The engine's own `RegExp` has accepted the expression before, so here is no check of its syntax: what a class or an
 * escape matches is left to that engine too, one character at a time.
 *
 * @see https://tc39.es/ecma262/#sec-patterns
 */

export type Node =
  /** One character; `source` is an expression for it. */
  | { kind: 'one'; source: string }
  /** A place: start, end, at a word's boundary, or not at one. */
  | { kind: 'place'; place: Place }
  | { kind: 'look'; body: Node; ahead: boolean; wanted: boolean }
  | { kind: 'all'; parts: Node[] }
  | { kind: 'any'; parts: Node[] }
  | { kind: 'repeat'; body: Node; min: number; max: number }
  /** What a group has matched, once more. */
  | { kind: 'back' }

export type Place = '^' | '$' | '\\b' | '\\B'

const REST =
  String.raw`\\x[\da-f]{2}|\\c[a-z]|\\k<[^>]*>|\\\d+|\\[^]|\[(?:\\[^]|[^\]\\])*\]|` +
  String.raw`\(\?(?:[:=!]|<[=!]|<[^>]*>)|[^]`
const FOUR = String.raw`\\u[\da-f]{4}|`
const TOKENS = new RegExp(FOUR + REST, 'gi')
const UNICODE_TOKENS = new RegExp(
  String.raw`\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u\{[\da-f]+\}|\\p\{[^}]*\}|` +
    FOUR +
    REST,
  'giu',
)
const SIMPLE: ReadonlyMap<string, readonly [number, number]> = new Map([
  ['*', [0, Infinity]],
  ['+', [1, Infinity]],
  ['?', [0, 1]],
])
const COUNT = /^\{(\d+)(,?)(\d*)\}$/

/** Groups inside each other. The walks over the tree call themselves. */
const MAX_NESTING = 200

/** What the expression needs is not known here. The message goes on from "it …". */
export class NotLinear extends Error {}

/** @param unicode it has the flag `u`. @throws {NotLinear} */
export function parse(source: string, unicode: boolean): Node {
  const tokens: readonly string[] = source.match(unicode ? UNICODE_TOKENS : TOKENS) ?? []
  let at = 0
  let nesting = 0

  function choice(): Node {
    if (++nesting > MAX_NESTING) throw new NotLinear('is nested too deeply')
    const parts = [sequence()]
    while (tokens[at] === '|') {
      at++
      parts.push(sequence())
    }
    at++
    nesting--
    return parts.length === 1 ? (parts[0] as Node) : { kind: 'any', parts }
  }

  function sequence(): Node {
    const parts: Node[] = []
    for (let token = tokens[at]; token !== undefined && token !== '|' && token !== ')';) {
      at++
      parts.push(repeated(term(token)))
      token = tokens[at]
    }
    return parts.length === 1 ? (parts[0] as Node) : { kind: 'all', parts }
  }

  function term(token: string): Node {
    if (token === '(' && tokens[at] === '?') throw new NotLinear('has modifiers')
    // Two characters, for a reason of long ago.
    if (token === '\\c') throw new NotLinear('has an unfinished escape')
    if (token.startsWith('(')) {
      const look = /^\(\?(<?)([=!])$/.exec(token)
      const body = choice()
      return look ? { kind: 'look', body, ahead: look[1] === '', wanted: look[2] === '=' } : body
    }
    if (isPlace(token)) return { kind: 'place', place: token }
    // A number refers to a group, or is an octal character: neither is supported.
    if (/^\\([1-9]|0\d|k<)/.test(token)) return { kind: 'back' }
    return { kind: 'one', source: token }
  }

  function repeated(body: Node): Node {
    const [min, max] = bounds()
    if (min === undefined || max === undefined) return body
    // Lazy or not makes no difference to whether it matches.
    if (tokens[at] === '?') at++
    return { kind: 'repeat', body, min, max }
  }

  function bounds(): readonly [min?: number, max?: number] {
    const token = tokens[at] ?? ''
    const simple = SIMPLE.get(token)
    if (simple) {
      at++
      return simple
    }
    if (token !== '{') return []
    const end = tokens.indexOf('}', at) + 1
    const count = COUNT.exec(tokens.slice(at, end).join(''))
    // Without the flag "u" a bracket may be a character.
    if (!count) return []
    at = end
    const min = Number(count[1])
    return [min, count[2] === '' ? min : count[3] === '' ? Infinity : Number(count[3])]
  }

  return choice()
}

function isPlace(token: string): token is Place {
  return token === '^' || token === '$' || token === '\\b' || token === '\\B'
}
