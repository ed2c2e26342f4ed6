/**
 * JSON with the place of everything in it: to name a line, and to change one value and nothing else.
 *
 * `JSON.parse` and `JSON.stringify` would rewrite the rest: numbers beyond 2^53, `1.0`, white space.
 */

export interface Span {
  /** Offset of the first character. */
  start: number
  /** Offset after the last one. */
  end: number
}

export interface JsonObject extends Span {
  kind: 'object'
  /** By key; of a key that comes twice the last one, as in every parser. */
  members: Map<string, JsonNode>
  /** Keys that were there before in the same object, and where. */
  repeated: { key: string; at: number }[]
}

export interface JsonList extends Span {
  kind: 'list'
  items: JsonNode[]
}

export interface JsonLeaf extends Span {
  kind: 'string' | 'number' | 'boolean' | 'null'
}

export type JsonNode = JsonObject | JsonList | JsonLeaf

/** The text is not JSON; the message says what was expected. */
export class JsonTextError extends Error {
  override readonly name = 'JsonTextError'
  /** Offset in the text. */
  readonly at: number
  constructor(message: string, at: number) {
    super(message)
    this.at = at
  }
}

/** Levels; more than any workflow has, and few enough for the stack of a component. */
const MAX_DEPTH = 200
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y
const WORDS = { true: 'boolean', false: 'boolean', null: 'null' } as const

/** @throws {JsonTextError} */
export function parseJsonText(text: string): JsonNode {
  let at = 0
  let depth = 0
  const fail = (message: string): never => {
    throw new JsonTextError(message, at)
  }
  const next = (): string => {
    let character = text[at]
    while (character === ' ' || character === '\n' || character === '\r' || character === '\t') {
      character = text[++at]
    }
    return character ?? ''
  }

  const readNode = (): JsonNode => {
    const character = next()
    const start = at
    if (character === '{' || character === '[') {
      if (++depth > MAX_DEPTH) fail(`nested more than ${MAX_DEPTH} levels`)
      const node = character === '{' ? readObject(start) : readList(start)
      depth--
      return node
    }
    if (character === '"') {
      readString()
      return { kind: 'string', start, end: at }
    }
    for (const [word, kind] of Object.entries(WORDS)) {
      if (!text.startsWith(word, at)) continue
      at += word.length
      return { kind, start, end: at }
    }
    NUMBER.lastIndex = at
    const [number] = NUMBER.exec(text) ?? fail('expected a value')
    at += number.length
    return { kind: 'number', start, end: at }
  }

  const readString = (): string => {
    if (next() !== '"') fail('expected a text in double quotes')
    let end = at
    do {
      end = text.indexOf('"', end + 1)
      if (end === -1) fail('this text has no end')
    } while (isEscaped(text, end))
    try {
      const value = JSON.parse(text.slice(at, end + 1)) as string
      at = end + 1
      return value
    } catch {
      return fail('this text has a character that must be escaped, or an unknown escape')
    }
  }

  const readList = (start: number): JsonList => {
    at++
    const items: JsonNode[] = []
    if (next() === ']') at++
    else {
      for (;;) {
        items.push(readNode())
        const after = next()
        if (after !== ',' && after !== ']') fail('expected "," or "]"')
        at++
        if (after === ']') break
      }
    }
    return { kind: 'list', items, start, end: at }
  }

  const readObject = (start: number): JsonObject => {
    at++
    const members = new Map<string, JsonNode>()
    const repeated: JsonObject['repeated'] = []
    if (next() === '}') at++
    else {
      for (;;) {
        next()
        const keyAt = at
        const key = readString()
        if (next() !== ':') fail('expected ":"')
        at++
        if (members.has(key)) repeated.push({ key, at: keyAt })
        members.set(key, readNode())
        const after = next()
        if (after !== ',' && after !== '}') fail('expected "," or "}"')
        at++
        if (after === '}') break
      }
    }
    return { kind: 'object', members, repeated, start, end: at }
  }

  const root = readNode()
  if (next() !== '') fail('there is something after the end')
  return root
}

/** The value at a place; numbers beyond 2^53 lose their last digits here. */
export function valueAt(text: string, { start, end }: Span): unknown {
  return JSON.parse(text.slice(start, end)) as unknown
}

/** The line of an offset, from 1. */
export function lineAt(text: string, offset: number): number {
  let line = 1
  for (let end = text.indexOf('\n'); end !== -1 && end < offset; end = text.indexOf('\n', end + 1))
    line++
  return line
}

/** Whether the literal is a whole number that JavaScript cannot hold. */
export function isImprecise(text: string, { kind, start, end }: JsonNode): boolean {
  if (kind !== 'number') return false
  const literal = text.slice(start, end)
  return /^-?\d+$/.test(literal) && !Number.isSafeInteger(Number(literal))
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0
  while (text[at - 1 - backslashes] === '\\') backslashes++
  return backslashes % 2 === 1
}
