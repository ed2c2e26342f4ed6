/** The places that one request takes, and whether it counts as long. */
import type { Occupant, Places } from './places.ts'

/** Why a request counts as long: its body, or its answer, is on the way for an unknown time. */
export const BODY = 1
export const ANSWER = 2

export class Stay {
  readonly #places: Places[]
  readonly #occupant: Occupant
  /** Sum of the reasons. */
  #reasons = 0

  /** @param places one of each kind that the request needs. */
  constructor(places: readonly Places[], occupant: Occupant) {
    this.#places = [...places]
    this.#occupant = occupant
  }

  get long(): boolean {
    return this.#reasons > 0
  }

  /** Takes a place of each kind. @returns whether there was one of each. */
  async enter(): Promise<boolean> {
    for (const places of this.#places) {
      const entered = places.enter(this.#occupant)
      if (entered !== true && !(await entered)) return false
    }
    return true
  }

  leave(): void {
    this.shorten(this.#reasons)
    for (const places of this.#places) places.leave(this.#occupant)
  }

  /** Gives back its places of all kinds but the first. */
  keepFirst(): void {
    for (const places of this.#places.splice(1)) {
      if (this.long) places.shorten()
      places.leave(this.#occupant)
    }
  }

  /** @returns whether the request may be long; it may not when too many are. */
  lengthen(reason: number): boolean {
    if (this.#reasons === 0) {
      for (const [index, places] of this.#places.entries()) {
        if (places.lengthen()) continue
        for (const before of this.#places.slice(0, index)) before.shorten()
        return false
      }
    }
    this.#reasons |= reason
    return true
  }

  shorten(reasons: number): void {
    if (this.#reasons === 0) return
    this.#reasons &= ~reasons
    if (this.#reasons === 0) for (const places of this.#places) places.shorten()
  }
}
