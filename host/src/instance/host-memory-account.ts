/**
 * What the host holds for one instance, in bytes.
 *
 * A guest's linear memory has a limit of its own. Handles, headers and bytes in transit, which the host allocates for the
 * guest, are outside of that memory. Without this account, one guest could fill the process.
 */
import { Trap } from './trap.ts'

/** Bytes the host may hold for one instance; see `maxHostMemory` of the host's options. */
export const DEFAULT_HOST_BYTES = 32 * 1024 * 1024

export class Account {
  readonly #limit: number
  #held = 0
  #era = 0

  constructor(limit: number = DEFAULT_HOST_BYTES) {
    this.#limit = limit
  }

  get held(): number {
    return this.#held
  }

  /** Changes at each {@link reset}. What was charged in an earlier era is not released in a later one. */
  get era(): number {
    return this.#era
  }

  /** @throws {Trap} when the account would hold more than its limit; nothing is charged then. */
  charge(bytes: number, what: string): void {
    this.require(bytes, what)
    this.#held += bytes
  }

  /** Whether so many bytes more are within the limit. */
  has(bytes: number): boolean {
    return this.#held + bytes <= this.#limit
  }

  /** Checks what {@link charge} would, and charges nothing. @throws {Trap} */
  require(bytes: number, what: string): void {
    if (!this.has(bytes)) {
      const limit = Math.floor(this.#limit / 1024)
      throw new Trap(`the guest makes the host hold more than ${limit} KiB for it: ${what}`)
    }
  }

  /** Charges bytes that arrive while the guest does not run. It cannot be stopped then, so its next {@link charge} fails. */
  add(bytes: number): void {
    this.#held += bytes
  }

  release(bytes: number): void {
    this.#held -= bytes
  }

  /** Everything was let go. */
  reset(): void {
    this.#held = 0
    this.#era++
  }
}
