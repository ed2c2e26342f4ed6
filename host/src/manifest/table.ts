/** Reads a TOML table key by key, so that every error names its key and unknown keys are found. */
import { ManifestError } from './manifest.ts'
import { nearestName } from './nearest-name.ts'

const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)

const typeOf = (value: unknown): string =>
  Array.isArray(value) ? 'an array' : isTable(value) ? 'a table' : `a ${typeof value}`

export class Table {
  readonly file: string
  readonly path: string
  readonly #values: Record<string, unknown>
  readonly #unread: Set<string>
  /** Keys that are valid here, present or not. */
  readonly #known = new Set<string>()
  /** Keys that an error does not propose. */
  readonly #hidden = new Set<string>()

  readonly #what: string

  /** @param what the kind of file, for the error about an unknown key. */
  constructor(
    values: Record<string, unknown>,
    { file, path, what = 'a Spin manifest' }: { file: string; path: string; what?: string },
  ) {
    this.file = file
    this.path = path
    this.#what = what
    this.#values = values
    this.#unread = new Set(Object.keys(values))
  }

  keys(): string[] {
    return Object.keys(this.#values)
  }

  has(key: string): boolean {
    return this.#values[key] !== undefined
  }

  error(key: string, reason: string): ManifestError {
    return new ManifestError(this.file, this.#name(key), reason)
  }

  raw(key: string): unknown {
    this.#unread.delete(key)
    this.#known.add(key)
    return this.#values[key]
  }

  optionalString(key: string): string | undefined {
    const value = this.raw(key)
    if (value === undefined || typeof value === 'string') return value
    throw this.error(key, `must be a string, not ${typeOf(value)}`)
  }

  string(key: string): string {
    const value = this.optionalString(key)
    if (value === undefined) throw this.error(key, 'is missing')
    return value
  }

  boolean(key: string): boolean {
    const value = this.raw(key) ?? false
    if (typeof value === 'boolean') return value
    throw this.error(key, `must be true or false, not ${typeOf(value)}`)
  }

  strings(key: string): string[] {
    return this.array(key).map((value, index) => {
      if (typeof value === 'string') return value
      throw this.error(`${key}[${index}]`, `must be a string, not ${typeOf(value)}`)
    })
  }

  array(key: string): unknown[] {
    const value = this.raw(key) ?? []
    if (Array.isArray(value)) return value
    throw this.error(key, `must be an array, not ${typeOf(value)}`)
  }

  optionalTable(key: string): Table | undefined {
    const value = this.raw(key)
    return value === undefined ? undefined : this.asTable(key, value)
  }

  /** An absent table is an empty one. */
  table(key: string): Table {
    return this.optionalTable(key) ?? this.asTable(key, {})
  }

  asTable(key: string, value: unknown): Table {
    if (isTable(value)) {
      return new Table(value, { file: this.file, path: this.#name(key), what: this.#what })
    }
    throw this.error(key, `must be a table, not ${typeOf(value)}`)
  }

  /** A table of strings, such as `environment`. */
  stringTable(key: string): Record<string, string> {
    const table = this.table(key)
    return Object.fromEntries(table.keys().map((name) => [name, table.string(name)]))
  }

  /** Tables the manifest carries for other programs. */
  freeTables(key: string): Record<string, Record<string, unknown>> {
    const table = this.table(key)
    return Object.fromEntries(
      table.keys().map((name) => {
        const value = table.raw(name)
        table.asTable(name, value)
        return [name, value as Record<string, unknown>]
      }),
    )
  }

  /** Marks keys as valid that this host does not use. */
  ignore(...keys: string[]): void {
    for (const key of keys) {
      this.#unread.delete(key)
      this.#known.add(key)
    }
  }

  /** Marks keys as valid that have no use here, so that an error does not propose them. */
  hide(...keys: string[]): void {
    for (const key of keys) this.#hidden.add(key)
  }

  /** @throws {ManifestError} for the first key that was not read. */
  done(): void {
    for (const key of this.#unread) {
      const hint = keyHint(
        key,
        [...this.#known].filter((each) => !this.#hidden.has(each)),
      )
      throw this.error(key, `is not a key of ${this.#what}${hint}`)
    }
  }

  #name(key: string): string {
    if (this.path === '') return key
    return key.startsWith('[') ? `${this.path}${key}` : `${this.path}.${key}`
  }
}

/** What an error about an unknown key adds: the key that was likely meant, or else all that are known. */
export function keyHint(key: string, known: readonly string[]): string {
  const meant = nearest(key, known)
  if (meant !== undefined) return `; did you mean "${meant}"?`
  return known.length === 0 ? '' : `; known here: ${[...known].sort().join(', ')}`
}

/** The one of `known` that `word` is likely to have been meant as: stricter than for a tool, because `known` is listed otherwise. */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  return nearestName(word, known, Math.max(1, Math.floor(word.length / 4)))
}
