/**
 * Limits the requests that run at once, and reserves some of the places for short ones.
 *
 * When all are taken, the sender that has most of them gives way: one client, or a few, cannot keep the others out.
 */

/** A request that takes a place. */
export interface Occupant {
  /** Whether its body or its answer takes an unknown time to arrive. */
  readonly long: boolean
  /** Who it comes from; empty if it is not known. */
  readonly sender: string
  /** Whether it has changed nothing: its client may send it again. */
  readonly repeatable: boolean
  /** Ends it, so that another request can take its place. @param reason after "the request" */
  evict(reason: string): void
}

/** Milliseconds after which a request counts as long once another one needs its place. */
export const SHORT_MS = 250

/** Milliseconds a new request waits for the place of an evicted one. */
const HANDOVER_MS = 1000

const TOO_MANY = 'was ended because its client had most of the requests that ran at once'
export const TOO_LONG = 'was ended because too many requests took long'

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
   * Takes a place. If none is free, evicts the youngest request of a sender that would still have more places than the
   * newcomer's, or else one that has held a place for short ones for {@link SHORT_MS}.
   *
   * @returns whether it has a place; a promise while the evicted request has not left.
   */
  enter(occupant: Occupant): boolean | Promise<boolean> {
    if (this.#occupants.size < this.#size) {
      this.#occupants.set(occupant, performance.now())
      return true
    }
    const unfair = this.#unfair(occupant)
    const evicted = unfair ?? this.#overdue(performance.now())
    if (evicted === undefined) return false
    this.#evicted.add(evicted)
    const entered = this.#inherit(occupant)
    evicted.evict(unfair ? TOO_MANY : TOO_LONG)
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

  /**
   * The youngest, because least has been done for it. Long ones have a share of their own, and one that has changed something
   * stays: the client of an evicted request sends it again.
   */
  #unfair({ sender }: Occupant): Occupant | undefined {
    const counts = new Map<string, number>()
    const youngest = new Map<string, Occupant>()
    for (const occupant of this.#occupants.keys()) {
      if (occupant.long || this.#evicted.has(occupant)) continue
      counts.set(occupant.sender, (counts.get(occupant.sender) ?? 0) + 1)
      if (occupant.repeatable) youngest.set(occupant.sender, occupant)
    }
    let [most, found] = [(counts.get(sender) ?? 0) + 1, undefined as Occupant | undefined]
    for (const [other, count] of counts) {
      if (count > most && youngest.has(other)) [most, found] = [count, youngest.get(other)]
    }
    return found
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
