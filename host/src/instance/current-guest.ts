/** Records which guest uses this thread, for the watchdog of the main thread. */
import { CELL, CELLS, type GuestId, NO_GUEST } from '../wire/guest-cells.ts'

/** Milliseconds of a turn that are reported. A machine that is busy with others has longer ones that compute less. */
const LONG_TURN_MS = 20

/** A guest has kept the thread for `ms` of processor time. */
type OnLongTurn = (guest: GuestId, ms: number) => void

export class CurrentGuest {
  #cells: Int32Array = new Int32Array(CELLS)
  /** The guest that {@link run} runs. A nested call restores it afterwards. */
  #called: GuestId | undefined
  /** Guests that can continue, in the order in which they will run. */
  readonly #resumed: GuestId[] = []
  #onLongTurn: OnLongTurn = () => {}
  /** Who has had the thread since when, by `performance.now()`. */
  #published: GuestId = NO_GUEST
  #since = 0
  /** Processor time of the thread as it was last read, which is not long ago. */
  #cpuMs = 0

  /** @param cells shared with the main thread. */
  attach(cells: Int32Array, onLongTurn: OnLongTurn): void {
    this.#cells = cells
    this.#onLongTurn = onLongTurn
  }

  /** The event loop turns. */
  beat(): void {
    Atomics.add(this.#cells, CELL.heartbeat, 1)
    this.#cpuMs = cpuMs()
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
    const next = this.#called ?? this.#resumed[0] ?? NO_GUEST
    const now = performance.now()
    if (now - this.#since >= LONG_TURN_MS) this.#endLongTurn(now - this.#since)
    this.#since = now
    this.#published = next
    const { request, component, nth } = next
    this.#cells[CELL.component] = component
    this.#cells[CELL.nth] = nth
    Atomics.store(this.#cells, CELL.request, request)
    // Guests that take turns are alive, even if they leave the event loop no time for the heartbeat timer.
    Atomics.add(this.#cells, CELL.heartbeat, 1)
  }

  // The clock alone would blame a guest for the time in which its thread had no core.
  #endLongTurn(ms: number): void {
    const guest = this.#published
    const before = this.#cpuMs
    this.#cpuMs = cpuMs()
    const computed = Math.min(ms, this.#cpuMs - before)
    if (guest !== NO_GUEST && computed >= LONG_TURN_MS) this.#onLongTurn(guest, computed)
  }
}

// Before the thread is hardened: then `process` has it no more.
const threadCpuUsage = process.threadCpuUsage.bind(process)

/** Processor time of this thread. Reading it takes longer than a clock. */
export function cpuMs(): number {
  const { user, system } = threadCpuUsage()
  return (user + system) / 1000
}

/** For this thread. */
export const currentGuest = new CurrentGuest()
