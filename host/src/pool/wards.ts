/** Which workers a component, or a caller, runs on: see {@link WARD}. Each stay in a ward ends by itself. */
import { keyOf, type Ward, WARD } from '../wire/guest-cells.ts'
import type { Flight } from './flight.ts'
import { Stays } from './stays.ts'

/** Milliseconds for which a component runs beside others that compute, after it was last seen to. */
const SLOW_COMPONENT_MS = 60_000
/** The same for what a caller sends. */
const SLOW_SENDER_MS = 10_000

export interface WardsOptions {
  /** Ids of the components, by their number. */
  components: readonly string[]
  /** Milliseconds of a stay in quarantine. */
  quarantineMs: number
  onChange: () => void
}

export class Wards {
  /** The highest ward of each component's calls, by its number; shared with all workers. */
  readonly levels: Int32Array
  readonly #components: readonly string[]
  readonly #quarantineMs: number
  readonly #slow: Stays
  readonly #slowSenders: Stays
  readonly #quarantine: Stays
  readonly #quarantinedKeys: Stays
  /** Components of which a caller is in quarantine. */
  readonly #divided: Stays
  readonly #all: readonly Stays[]

  constructor({ components, quarantineMs, onChange }: WardsOptions) {
    this.#components = components
    this.#quarantineMs = quarantineMs
    this.levels = new Int32Array(
      new SharedArrayBuffer(components.length * Int32Array.BYTES_PER_ELEMENT),
    )
    const changed = () => {
      this.#publish()
      onChange()
    }
    const stays = (milliseconds: number) => new Stays({ milliseconds, onChange: changed })
    this.#slow = stays(SLOW_COMPONENT_MS)
    this.#slowSenders = stays(SLOW_SENDER_MS)
    this.#quarantine = stays(quarantineMs)
    this.#quarantinedKeys = stays(quarantineMs)
    this.#divided = stays(quarantineMs)
    this.#all = [
      ...[this.#slow, this.#slowSenders],
      ...[this.#quarantine, this.#quarantinedKeys, this.#divided],
    ]
  }

  /** Whether a component runs in the ward. */
  isUsed(ward: Ward): boolean {
    if (ward === WARD.quarantine) return this.#quarantine.size + this.#quarantinedKeys.size > 0
    return ward === WARD.ordinary || this.#slow.size + this.#slowSenders.size > 0
  }

  wardOf({ component, sender }: Pick<Flight, 'component' | 'sender'>): Ward {
    if (this.#quarantine.has(component)) return WARD.quarantine
    if (this.#quarantinedKeys.has(keyOf(component, sender))) return WARD.quarantine
    return this.#slow.has(component) || this.#slowSenders.has(sender) ? WARD.slow : WARD.ordinary
  }

  slowComponent(component: string): void {
    this.#slow.add(component)
  }

  slowSender(sender: string): void {
    this.#slowSenders.add(sender)
  }

  /** @returns whether it was not in quarantine before. */
  quarantine(component: string): boolean {
    const before = this.isQuarantined(component)
    this.#quarantine.add(component)
    return !before && this.isQuarantined(component)
  }

  /** @returns whether it was not in quarantine before. */
  quarantineKey(component: string, sender: string): boolean {
    const before = this.wardOf({ component, sender })
    this.#quarantinedKeys.add(keyOf(component, sender))
    this.#divided.add(component)
    return before !== WARD.quarantine && this.#quarantineMs > 0
  }

  isQuarantined(component: string): boolean {
    return this.#quarantine.has(component)
  }

  close(): void {
    for (const stays of this.#all) stays.close()
  }

  #publish(): void {
    for (const [number, component] of this.#components.entries()) {
      const slow = this.#slow.has(component) ? WARD.slow : WARD.ordinary
      // A worker knows no callers: it asks where a call goes if some calls of the component leave its ward.
      const mayLeave = this.#quarantine.has(component) || this.#divided.has(component)
      Atomics.store(this.levels, number, mayLeave ? WARD.quarantine : slow)
    }
  }
}
