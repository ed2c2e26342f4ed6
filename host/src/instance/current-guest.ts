/** Records which guest uses this thread, for the watchdog of the main thread. */
import { CELL, CELLS, type GuestId, NO_GUEST } from '../wire/guest-cells.ts'

export class CurrentGuest {
  #cells: Int32Array = new Int32Array(CELLS)
  /** The guest that {@link run} runs. A nested call restores it afterwards. */
  #called: GuestId | undefined
  /** Guests that can continue, in the order in which they will run. */
  readonly #resumed: GuestId[] = []

  /** @param cells shared with the main thread. */
  attach(cells: Int32Array): void {
    this.#cells = cells
  }

  /** Runs a guest until it ends or waits for the first time. */
  run<T>(guest: GuestId, work: () => T): T {
    const caller = this.#called
    this.#called = guest
    this.#publish()
    try {
      return work()
    } finally {
      this.#called = caller
      this.#publish()
    }
  }

  /** The guest can continue: it gets the thread once those before it wait again. */
  resume(guest: GuestId): void {
    if (this.#resumed.includes(guest)) return
    this.#resumed.push(guest)
    if (this.#resumed.length === 1) this.#publish()
  }

  /** The guest waits, or has ended. */
  leave(guest: GuestId): void {
    const at = this.#resumed.indexOf(guest)
    if (at < 0) return
    this.#resumed.splice(at, 1)
    if (at === 0) this.#publish()
  }

  #publish(): void {
    const { request, component, nth } = this.#called ?? this.#resumed[0] ?? NO_GUEST
    this.#cells[CELL.component] = component
    this.#cells[CELL.nth] = nth
    Atomics.store(this.#cells, CELL.request, request)
    // Guests that take turns are alive, even if they leave the event loop no time for the heartbeat timer.
    Atomics.add(this.#cells, CELL.heartbeat, 1)
  }
}

/** For this thread. */
export const currentGuest = new CurrentGuest()
