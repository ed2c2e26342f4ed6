/** The last requests, within a number and a number of bytes. */

export interface RingEntry {
  /** Rises with each change of any entry. Set by the ring. */
  seq: number
  /** Bytes it takes, about. */
  size: number
}

export interface RingLimits {
  entries: number
  bytes: number
}

/** Entries in the order of their last change: the first is the one that did not change for longest. */
export class Ring<Entry extends RingEntry> {
  readonly #limits: RingLimits
  readonly #entries = new Map<Entry, number>()
  #seq = 0
  #bytes = 0

  constructor(limits: RingLimits) {
    this.#limits = limits
  }

  /** Of the last change. */
  get seq(): number {
    return this.#seq
  }

  get bytes(): number {
    return this.#bytes
  }

  get size(): number {
    return this.#entries.size
  }

  /** The entry is new, or has changed; it becomes the last one. */
  touch(entry: Entry): void {
    this.#bytes += entry.size - (this.#entries.get(entry) ?? 0)
    this.#entries.delete(entry)
    this.#entries.set(entry, entry.size)
    entry.seq = ++this.#seq
    if (this.#entries.size > this.#limits.entries || this.#bytes > this.#limits.bytes) this.#evict()
  }

  /** Entries that changed after a number, in the order of their changes. */
  *since(seq: number): Iterable<Entry> {
    for (const entry of this.#entries.keys()) if (entry.seq > seq) yield entry
  }

  #evict(): void {
    for (const [entry, size] of this.#entries) {
      if (this.#entries.size <= this.#limits.entries && this.#bytes <= this.#limits.bytes) return
      this.#entries.delete(entry)
      this.#bytes -= size
    }
  }
}
