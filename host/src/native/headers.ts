/**
 * `Headers` of the native gateway: a list, as the host has it. Those of Node take three times as long for the ten that a request
 * has, and the same again to become a list.
 *
 * @see https://fetch.spec.whatwg.org/#headers-class
 */
import { type HeaderEntry, isHeaderName, isHeaderValue } from '../http/header-rules.ts'

export type HeadersSource = NativeHeaders | Iterable<readonly string[]> | Record<string, string>

export class NativeHeaders implements Iterable<[string, string]> {
  #entries: HeaderEntry[] = []

  constructor(source?: HeadersSource | null) {
    if (source === undefined || source === null) return
    if (source instanceof NativeHeaders) this.#entries = [...source.#entries]
    else if (Symbol.iterator in source) {
      for (const [name = '', value = ''] of source as Iterable<readonly string[]>)
        this.append(name, value)
    } else for (const name of Object.keys(source)) this.append(name, String(source[name]))
  }

  /** Of entries that the host has checked. */
  static of(entries: readonly HeaderEntry[]): NativeHeaders {
    const headers = new NativeHeaders()
    headers.#entries = [...entries]
    return headers
  }

  /** In the order in which they were added. */
  static entriesOf(headers: NativeHeaders): readonly HeaderEntry[] {
    return headers.#entries
  }

  /** The values of all entries of this name, joined. */
  get(name: string): string | null {
    const wanted = checkedName(name)
    let found: string | null = null
    for (const entry of this.#entries) {
      if (entry[0] === wanted) found = found === null ? entry[1] : `${found}, ${entry[1]}`
    }
    return found
  }

  getSetCookie(): string[] {
    return this.#entries.flatMap(([name, value]) => (name === 'set-cookie' ? [value] : []))
  }

  has(name: string): boolean {
    const wanted = checkedName(name)
    return this.#entries.some((entry) => entry[0] === wanted)
  }

  append(name: string, value: string): void {
    this.#entries.push([checkedName(name), checkedValue(name, value)])
  }

  set(name: string, value: string): void {
    const wanted = checkedName(name)
    const entry: HeaderEntry = [wanted, checkedValue(name, value)]
    const at = this.#entries.findIndex((each) => each[0] === wanted)
    if (at < 0) this.#entries.push(entry)
    else
      this.#entries = this.#entries.flatMap((each, place) =>
        place === at ? [entry] : each[0] === wanted ? [] : [each],
      )
  }

  delete(name: string): void {
    const wanted = checkedName(name)
    this.#entries = this.#entries.filter((entry) => entry[0] !== wanted)
  }

  /** Sorted, with the values of one name joined, those of `set-cookie` excepted. */
  entries(): ArrayIterator<[string, string]> {
    const names = [...new Set(this.#entries.map(([name]) => name))].sort()
    return names
      .flatMap((name): [string, string][] =>
        name === 'set-cookie'
          ? this.getSetCookie().map((value) => [name, value])
          : [[name, this.get(name) ?? '']],
      )
      .values()
  }

  *keys(): Generator<string, undefined> {
    for (const [name] of this.entries()) yield name
  }

  *values(): Generator<string, undefined> {
    for (const [, value] of this.entries()) yield value
  }

  forEach(visit: (value: string, name: string, headers: NativeHeaders) => void): void {
    for (const [name, value] of this.entries()) visit(value, name, this)
  }

  [Symbol.iterator](): ArrayIterator<[string, string]> {
    return this.entries()
  }
}

function checkedName(name: string): string {
  const text = String(name)
  if (!isHeaderName(text)) throw new TypeError(`Invalid header name: ${JSON.stringify(text)}`)
  return text.toLowerCase()
}

/** Without white space around it. Every character is a byte. */
function checkedValue(name: string, value: string): string {
  const text = String(value).replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, '')
  if (!isHeaderValue(text)) throw new TypeError(`Invalid value of the header ${name}`)
  return text
}
