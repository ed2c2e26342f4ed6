/**
 * Places for requests that run at once, some of which are kept for short ones.
 *
 * @module
 */

/** A request that takes a place. */
export interface Occupant {
  /** Its body or its answer is on the way for an unknown time. */
  readonly long: boolean
  /** Ends it, so that another can have its place. */
  evict(): void
}

/** Milliseconds after which a request counts as long when others want its place. */
export const SHORT_MS = 250

/** Milliseconds a newcomer waits for the place of one that was ended for it. */
const HANDOVER_MS = 1000

/** Three of four places may be taken for long; the others change hands. */
export const shareForLong = (size: number): number => Math.ceil(size * 0.75)

export class Places {
  readonly #size: number
  readonly #forLong: number
  /** When each came, the first first. */
  readonly #occupants = new Map<Occupant, number>()
  readonly #evicted = new Set<Occupant>()
  /** Those that take over a place which is about to be left. */
  readonly #successors: ((entered: boolean) => void)[] = []
  #long = 0

  constructor(size: number) {
    this.#size = size
    this.#forLong = shareForLong(size)
  }

  /**
   * Takes a place. When there is none, a request that has had one of those for short requests for too long is ended.
   *
   * @returns whether it has a place; a promise where one is about to be left.
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

  /** Whether one more request may be long; then it counts as such until {@link shorten}. */
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
      // Those behind it came later.
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
