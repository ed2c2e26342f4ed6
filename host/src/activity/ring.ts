/** The last requests, within a number and a number of bytes. */

export interface RingEntry {
  /** Rises with each change of any entry. Set by the ring. */
  seq: number
  /** Bytes it takes, about. */
  readonly size: number
  /** Where the ring has it. Set by the ring. */
  place: number
  /** Bytes that the ring has counted for it. Set by the ring. */
  counted: number
}

export interface RingLimits {
  entries: number
  bytes: number
}

/** Slots for each entry: a change takes a new slot, and the old one stays empty until the slots are packed. */
const SLOTS = 4

/**
 * Entries in the order of their last change: the first is the one that did not change for longest.
 *
 * It is an array of slots and not a `Map`: each request of a host changes it, and a `Map` whose keys are deleted all the
 * time is copied all the time.
 */
export class Ring<Entry extends RingEntry> {
  readonly #limits: RingLimits
  readonly #onEvicted: (entry: Entry) => void
  readonly #slots: (Entry | undefined)[]
  /** Places of the first entry and behind the last one; a place modulo the number of slots is its slot. */
  #first = 0
  #next = 0
  #size = 0
  #seq = 0
  #bytes = 0

  /** @param onEvicted receives an entry that the ring has dropped. @default nothing happens */
  constructor(limits: RingLimits, onEvicted: (entry: Entry) => void = () => {}) {
    this.#limits = limits
    this.#onEvicted = onEvicted
    this.#slots = Array.from({ length: SLOTS * (limits.entries + 1) }, () => undefined)
  }

  /** Of the last change. */
  get seq(): number {
    return this.#seq
  }

  get bytes(): number {
    return this.#bytes
  }

  get size(): number {
    return this.#size
  }

  /** The entry is new, or has changed; it becomes the last one. */
  touch(entry: Entry): void {
    if (this.#slots[this.#slotOf(entry.place)] === entry) this.#remove(entry)
    if (this.#next - this.#first === this.#slots.length) this.#pack()
    this.#put(entry)
    entry.seq = ++this.#seq
    entry.counted = entry.size
    this.#bytes += entry.counted
    this.#size++
    while (this.#size > this.#limits.entries || this.#bytes > this.#limits.bytes) this.#evict()
  }

  /** Entries that changed after a number, in the order of their changes. None may be touched until all are read. */
  *since(seq: number): Iterable<Entry> {
    let at = this.#next
    while (at > this.#first && (this.#slots[this.#slotOf(at - 1)]?.seq ?? Infinity) > seq) at--
    for (; at < this.#next; at++) {
      const entry = this.#slots[this.#slotOf(at)]
      if (entry) yield entry
    }
  }

  #slotOf(place: number): number {
    return place % this.#slots.length
  }

  #put(entry: Entry): void {
    entry.place = this.#next++
    this.#slots[this.#slotOf(entry.place)] = entry
  }

  #remove(entry: Entry): void {
    this.#slots[this.#slotOf(entry.place)] = undefined
    this.#bytes -= entry.counted
    this.#size--
  }

  /** Drops the first entry, or skips a slot that is empty. */
  #evict(): void {
    const entry = this.#slots[this.#slotOf(this.#first++)]
    if (!entry) return
    this.#remove(entry)
    this.#onEvicted(entry)
  }

  /** Puts the entries into slots that follow each other. */
  #pack(): void {
    const entries = [...this.since(0)]
    this.#slots.fill(undefined)
    this.#first = this.#next = 0
    for (const entry of entries) this.#put(entry)
  }
}
