/** Limits the requests that run at once, and reserves some of the places for short ones. */

/** A request that takes a place. */
export interface Occupant {
  /** Whether its body or its answer takes an unknown time to arrive. */
  readonly long: boolean
  /** Ends it, so that another request can take its place. */
  evict(): void
}

/** Milliseconds after which a request counts as long once another one needs its place. */
export const SHORT_MS = 250

/** Milliseconds a new request waits for the place of an evicted one. */
const HANDOVER_MS = 1000

/** Long requests may keep three of four places; the rest are reserved for short ones. */
const shareForLong = (size: number): number => Math.ceil(size * 0.75)

export class Places {
  readonly #size: number
  readonly #forLong: number
  /** When each entered, oldest first. */
  readonly #occupants = new Map<Occupant, number>()
  readonly #evicted = new Set<Occupant>()
  /** Requests that wait for the place of an evicted one. */
  readonly #successors: ((entered: boolean) => void)[] = []
  #long = 0

  constructor(size: number) {
    this.#size = size
    this.#forLong = shareForLong(size)
  }

  /**
   * Takes a place. If none is free, evicts a request that has held a place for short ones for {@link SHORT_MS}.
   *
   * @returns whether it has a place; a promise while the evicted request has not left.
   */
  enter(occupant: Occupant): boolean | Promise<boolean> {
    if (this.#occupants.size < this.#size) {
      this.#occupants.set(occupant, performance.now())
      return true
    }
    const overdue = this.#overdue(performance.now())
    if (overdue === undefined) return false
    this.#evicted.add(overdue)
    const entered = this.#inherit(occupant)
    overdue.evict()
    return entered
  }

  leave(occupant: Occupant): void {
    this.#evicted.delete(occupant)
    if (this.#occupants.delete(occupant)) this.#successors.shift()?.(true)
  }

  /** Counts one more long request until {@link shorten}. @returns `false` when there are too many. */
  lengthen(): boolean {
    if (this.#long >= this.#forLong) return false
    this.#long++
    return true
  }

  shorten(): void {
    this.#long--
  }

  #overdue(now: number): Occupant | undefined {
    let room = this.#forLong - this.#long
    for (const [occupant, since] of this.#occupants) {
      if (occupant.long || this.#evicted.has(occupant)) continue
      // All that follow entered later.
      if (now - since < SHORT_MS) return undefined
      if (room <= 0) return occupant
      room--
    }
    return undefined
  }

  #inherit(occupant: Occupant): Promise<boolean> {
    return new Promise((resolve) => {
      const successor = (entered: boolean) => {
        clearTimeout(timer)
        if (entered) this.#occupants.set(occupant, performance.now())
        resolve(entered)
      }
      const timer = setTimeout(() => {
        this.#successors.splice(this.#successors.indexOf(successor), 1)
        successor(false)
      }, HANDOVER_MS)
      this.#successors.push(successor)
    })
  }
}
