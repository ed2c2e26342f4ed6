/**
 * JSON with the line of everything in it, and with what `JSON.parse` would swallow: keys that come twice and
 * numbers too large to be held.
 *
 * @module
 */

export interface Located {
  value: unknown
  /** Line of a value by its path, as JSON text of the path: `["nodes",0]`. Lines count from 1. */
  lines: Map<string, number>
  /** Paths of keys that come a second time in their object. */
  repeated: (string | number)[][]
  /** Whole numbers beyond 2^53 - 1, which lose their last digits when they are read. */
  imprecise: (string | number)[][]
}

/** The text is not JSON. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError'
  readonly line: number
  constructor(message: string, line: number) {
    super(message)
    this.line = line
  }
}

type Path = (string | number)[]

const SPACE = /[ \t\r\n]*/y
const NUMBER = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?/y
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y
const WORD = /true|false|null/y

/** @throws {JsonSyntaxError} */
export function parseLocated(text: string): Located {
  const located: Located = { value: undefined, lines: new Map(), repeated: [], imprecise: [] }
  let at = 0
  const fail = (message: string): never => {
    throw new JsonSyntaxError(message, lineAt(text, at))
  }
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (match) at += match[0].length
    return match
  }
  const next = (): string => {
    take(SPACE)
    return text[at] ?? ''
  }
  const expect = (character: string, after: string): void => {
    if (next() !== character) fail(`expected "${character}" ${after}`)
    at += 1
  }

  const readValue = (path: Path): unknown => {
    const character = next()
    located.lines.set(JSON.stringify(path), lineAt(text, at))
    if (character === '{') return readObject(path)
    if (character === '[') return readList(path)
    if (character === '"') return readString()
    const number = take(NUMBER)
    if (number) {
      const value = Number(number[0])
      const whole = number[1] === undefined && number[2] === undefined
      if (whole && !Number.isSafeInteger(value)) located.imprecise.push(path)
      return value
    }
    const word = take(WORD)
    return word ? (JSON.parse(word[0]) as unknown) : fail('expected a value')
  }

  const readString = (): string => {
    const match = take(STRING)
    return match ? (JSON.parse(match[0]) as string) : fail('expected a text in quotes')
  }

  const readList = (path: Path): unknown[] => {
    at += 1
    const list: unknown[] = []
    if (next() === ']') at += 1
    else {
      for (;;) {
        list.push(readValue([...path, list.length]))
        if (next() !== ',') break
        at += 1
      }
      expect(']', 'or a comma after an entry of a list')
    }
    return list
  }

  const readObject = (path: Path): Record<string, unknown> => {
    at += 1
    const entries = new Map<string, unknown>()
    if (next() === '}') at += 1
    else {
      for (;;) {
        next()
        const key = readString()
        expect(':', `after "${key}"`)
        if (entries.has(key)) located.repeated.push([...path, key])
        entries.set(key, readValue([...path, key]))
        if (next() !== ',') break
        at += 1
      }
      expect('}', 'or a comma after a value')
    }
    return Object.fromEntries(entries)
  }

  located.value = readValue([])
  if (next() !== '') fail('there is something after the end')
  return located
}

/** The line of a path, or of the nearest that is there: what is missing has no line of its own. */
export function lineOf({ lines }: Located, path: readonly (string | number)[]): number {
  for (let length = path.length; length >= 0; length--) {
    const line = lines.get(JSON.stringify(path.slice(0, length)))
    if (line !== undefined) return line
  }
  return 1
}

function lineAt(text: string, at: number): number {
  let line = 1
  for (let end = text.indexOf('\n'); end !== -1 && end < at; end = text.indexOf('\n', end + 1))
    line++
  return line
}
