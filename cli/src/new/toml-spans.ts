/**
 * Finds positions in the text of a TOML document, for edits that keep every other byte.
 *
 * The text must be valid TOML: the caller parses it before, and parses the edited text again.
 * @see https://toml.io/en/v1.0.0
 */

import { NotEditable } from './tool-list.ts'

export interface TomlString {
  /** Offset of the text between the quotes. */
  start: number
  end: number
  /** One quote character, or three. */
  quote: string
}

export interface TomlSpans {
  /** Strings by the `pathKey` of their path; elements of arrays by index. */
  strings: Map<string, TomlString>
  /** Where the line of a table's last entry ends, for each `[header]`. */
  tableEnds: Map<string, number>
}

export function pathKey(...path: (string | number)[]): string {
  return JSON.stringify(path.map(String))
}

/** @throws {NotEditable} with line and column, where the text is not understood. */
export function scanToml(text: string): TomlSpans {
  const spans: TomlSpans = { strings: new Map(), tableEnds: new Map() }
  const scanner = new Scanner(text, spans)
  const seen = new Map<string, number>()
  let table: string[] = []
  while (scanner.skipBlank()) {
    if (scanner.take('[[')) {
      table = scanner.key()
      scanner.take(']]')
      const index = seen.get(pathKey(...table)) ?? 0
      seen.set(pathKey(...table), index + 1)
      table.push(String(index))
    } else if (scanner.take('[')) {
      table = scanner.key()
      scanner.take(']')
    } else {
      scanner.entry(table)
    }
    spans.tableEnds.set(pathKey(...table), scanner.lineEnd())
  }
  return spans
}

class Scanner {
  readonly #text: string
  readonly #strings: TomlSpans['strings']
  #at = 0
  constructor(text: string, { strings }: TomlSpans) {
    this.#text = text
    this.#strings = strings
  }

  /** Skips white space and comments. @returns `false` at the end of the text. */
  skipBlank(): boolean {
    this.#match(/(?:[\s\uFEFF]|#[^\n]*)*/y)
    return this.#at < this.#text.length
  }

  take(token: string): boolean {
    if (!this.#text.startsWith(token, this.#at)) return false
    this.#at += token.length
    return true
  }

  lineEnd(): number {
    const found = this.#text.indexOf('\n', this.#at)
    if (found < 0) return this.#text.length
    return this.#text[found - 1] === '\r' ? found - 1 : found
  }

  key(): string[] {
    const parts: string[] = []
    do {
      this.#match(/[ \t]*/y)
      const quote = this.#text[this.#at]
      if (quote === '"') parts.push(this.#quotedKey())
      else if (quote === "'") parts.push(this.#match(/'[^']*'/y).slice(1, -1))
      else parts.push(this.#match(/[A-Za-z0-9_-]+/y))
      this.#match(/[ \t]*/y)
    } while (this.take('.'))
    return parts
  }

  #quotedKey(): string {
    const at = this.#at
    const literal = this.#match(/"(?:[^"\\]|\\.)*"/y)
    try {
      return JSON.parse(literal) as string
    } catch {
      // TOML has escapes that JSON does not have, such as \U0001F600.
      throw this.#unreadable(at, `the key ${literal}`)
    }
  }

  entry(table: readonly string[]): void {
    const path = [...table, ...this.key()]
    this.take('=')
    this.skipBlank()
    this.#value(path)
  }

  #value(path: readonly string[]): void {
    for (const quote of ['"""', "'''", '"', "'"]) {
      if (!this.take(quote)) continue
      const start = this.#at
      this.#match(STRINGS[quote] ?? /$/y)
      const end = this.#at - quote.length
      this.#strings.set(pathKey(...path), { start, end, quote })
      return
    }
    if (this.take('{')) {
      this.#each('}', () => this.entry(path))
    } else if (this.take('[')) {
      this.#each(']', (index) => this.#value([...path, String(index)]))
    } else {
      this.#match(/[^,\]}\n#]*/y)
    }
  }

  #each(close: string, read: (index: number) => void): void {
    for (let index = 0; this.skipBlank() && !this.take(close); index++) {
      read(index)
      this.skipBlank()
      this.take(',')
    }
  }

  /** @throws {NotEditable} when the text does not match, to prevent an edit in the wrong place. */
  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0]
    if (found === undefined) throw this.#unreadable(this.#at, 'the text')
    this.#at += found.length
    return found
  }

  #unreadable(at: number, what: string): NotEditable {
    const before = this.#text.slice(0, at).split('\n')
    const column = (before.at(-1)?.length ?? 0) + 1
    return new NotEditable(`${what} at line ${before.length}, column ${column} cannot be read`)
  }
}

/** The rest of a string with its closing quotes; a multi-line string may have up to two quotes before them. */
const STRINGS: Record<string, RegExp> = {
  '"""': /(?:[^"\\]|\\[^]|"(?!""))*"{3,5}/y,
  "'''": /(?:[^']|'(?!''))*'{3,5}/y,
  '"': /(?:[^"\\]|\\.)*"/y,
  "'": /[^']*'/y,
}
