/** Keeps the stores of a test and those of its built component the same. */
import { toBytes } from '../key-value.ts'
import type { TestPlatform } from '../platform.ts'

/** Bytes in base 64, by key; `null` for one that was removed. */
type Changes = Record<string, Record<string, string | null>>
type Entries = Record<string, Record<string, string>>

export class MirroredStores {
  readonly #platform: TestPlatform
  readonly #labels: readonly string[]
  /** What both sides had when they were last compared. */
  #known: Entries = {}

  constructor(platform: TestPlatform, labels: readonly string[]) {
    this.#platform = platform
    this.#labels = labels
  }

  /** Everything, for a component that starts. */
  async all(): Promise<Entries> {
    return (this.#known = await this.#read())
  }

  /** What the test has changed. */
  async changes(): Promise<Changes> {
    const now = await this.#read()
    const changes: Changes = {}
    for (const label of this.#labels) {
      const changed = difference(this.#known[label], now[label])
      if (Object.keys(changed).length > 0) changes[label] = changed
    }
    this.#known = now
    return changes
  }

  /** What the component has changed. */
  async take(theirs: Entries): Promise<void> {
    for (const label of this.#labels) {
      const store = this.#platform.store(label)
      const changed = difference(this.#known[label], theirs[label])
      for (const [key, value] of Object.entries(changed)) {
        if (value === null) await store.delete(key)
        else await store.set(key, fromBase64(value))
      }
      this.#known[label] = { ...theirs[label] }
    }
  }

  async #read(): Promise<Entries> {
    const entries: Entries = {}
    for (const label of this.#labels) {
      const store = this.#platform.store(label)
      const found: Record<string, string> = {}
      for (const key of await store.keys()) {
        const value = await store.get(key)
        if (value) found[key] = toBase64(value)
      }
      entries[label] = found
    }
    return entries
  }
}

function difference(
  before: Readonly<Record<string, string>> = {},
  after: Readonly<Record<string, string>> = {},
): Record<string, string | null> {
  const had = new Map(Object.entries(before))
  const has = new Map(Object.entries(after))
  return Object.fromEntries<string | null>([
    ...[...has].filter(([key, value]) => had.get(key) !== value),
    ...[...had.keys()].filter((key) => !has.has(key)).map((key) => [key, null] as const),
  ])
}

export function toBase64(content: Uint8Array | string): string {
  return Buffer.from(toBytes(content)).toString('base64')
}

function fromBase64(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'base64'))
}
