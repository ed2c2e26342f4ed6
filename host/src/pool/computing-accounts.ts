/**
 * Who computes for long without waiting: by component, and by caller.
 *
 * Two things follow. Who computes much of the time runs beside others of the kind, on workers of their own. Who computes
 * for seconds at a time, or was ended for it, runs in quarantine.
 */
import { DecayingSums } from '../limits/decaying-sums.ts'
import { keyOf } from '../wire/guest-cells.ts'

/** A component or caller is slow from this sum of computing milliseconds. Half of the sum is forgotten each second. */
export const SLOW_MS = 150
const SLOW_HALF_LIFE_MS = 1000

/** The same of one turn that is not over, while other requests wait for its thread. */
export const DELAYING_MS = 60

/** A turn of so many milliseconds counts towards quarantine. */
const GRAVE_MS = 1000
/** Milliseconds of such turns that one caller, or all callers of a component, may need before. */
const GRAVE_LIMIT_MS = 5000
const GRAVE_LIMIT_OF_ALL_MS = 20_000
const GRAVE_HALF_LIFE_MS = 60_000
/** What the end of a guest by its engine counts, however short the limit was: two in a minute are enough. */
const EXHAUSTED_MS = 3500

/** A guest's turn: it had its thread for so long. */
export interface Turn {
  component: string
  isGateway: boolean
  /** Who the request comes from; empty if it is not known. */
  sender: string
  /** Processor time. */
  ms: number
}

export interface Verdict {
  /** The component runs beside others that compute. */
  slowComponent?: true
  /** What the caller sends does. */
  slowSender?: true
  /** What the caller calls of the component runs in quarantine. */
  quarantinedKey?: true
  /** All calls of the component do. */
  quarantinedComponent?: true
}

export class ComputingAccounts {
  readonly #components = new DecayingSums(SLOW_HALF_LIFE_MS)
  readonly #senders = new DecayingSums(SLOW_HALF_LIFE_MS)
  readonly #graveKeys = new DecayingSums(GRAVE_HALF_LIFE_MS)
  readonly #graveComponents = new DecayingSums(GRAVE_HALF_LIFE_MS)

  /** @param now milliseconds of a clock that never goes back. */
  charge({ component, isGateway, sender, ms }: Turn, now: number): Verdict {
    // All requests go through a gateway: what it computes is its callers' doing.
    if (isGateway) return this.#senders.add(sender, ms, now) < SLOW_MS ? {} : { slowSender: true }
    const slow = this.#components.add(component, ms, now) >= SLOW_MS
    return {
      ...(slow && { slowComponent: true }),
      ...(ms >= GRAVE_MS && this.#grave(component, sender, ms, now)),
    }
  }

  /** The engine ended a guest of the component, which had computed for too long. */
  exhausted(component: string, sender: string, now: number): Verdict {
    return { slowComponent: true, ...this.#grave(component, sender, EXHAUSTED_MS, now) }
  }

  #grave(component: string, sender: string, ms: number, now: number): Verdict {
    const ofKey = this.#graveKeys.add(keyOf(component, sender), ms, now)
    const ofAll = this.#graveComponents.add(component, ms, now)
    return {
      ...(ofKey >= GRAVE_LIMIT_MS && { quarantinedKey: true }),
      ...(ofAll >= GRAVE_LIMIT_OF_ALL_MS && { quarantinedComponent: true }),
    }
  }
}
