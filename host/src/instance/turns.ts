/**
 * Which guest has this thread right now, written where the main thread can read it.
 *
 * A guest that never yields stops its thread, so it cannot be asked; what it wrote before is all there is.
 *
 * @module
 */

/** Who a guest is, in numbers: these go through shared memory. */
export interface Seat {
  /** The request from outside that it works for. */
  readonly root: number
  /** Index of its component in the application. */
  readonly component: number
  /** How many calls to that component the request had made before. */
  readonly nth: number
}

/** Cells of the shared array. */
export const CELL = { heartbeat: 0, root: 1, component: 2, nth: 3 } as const
export const CELLS = 4

/** For a thread without a watchdog, and while no guest runs. */
const NOBODY: Seat = { root: 0, component: 0, nth: 0 }

export class Turns {
  #cells: Int32Array = new Int32Array(CELLS)
  /** The guest that was called from the thread itself; a call of another guest lies on top of the caller. */
  #called: Seat | undefined
  /** Guests that were told to go on, in the order in which they will. */
  readonly #resumed: Seat[] = []

  /** @param cells shared with the main thread. */
  attach(cells: Int32Array): void {
    this.#cells = cells
  }

  /** Runs a guest until it ends or waits for the first time. */
  call<T>(seat: Seat, work: () => T): T {
    const caller = this.#called
    this.#called = seat
    this.#publish()
    try {
      return work()
    } finally {
      this.#called = caller
      this.#publish()
    }
  }

  /** What a guest waited for is there: it has the thread once those before it wait again. */
  resume(seat: Seat): void {
    if (this.#resumed.includes(seat)) return
    this.#resumed.push(seat)
    if (this.#resumed.length === 1) this.#publish()
  }

  /** The guest waits, or has ended. */
  leave(seat: Seat): void {
    const at = this.#resumed.indexOf(seat)
    if (at < 0) return
    this.#resumed.splice(at, 1)
    if (at === 0) this.#publish()
  }

  #publish(): void {
    const { root, component, nth } = this.#called ?? this.#resumed[0] ?? NOBODY
    this.#cells[CELL.component] = component
    this.#cells[CELL.nth] = nth
    Atomics.store(this.#cells, CELL.root, root)
    // Guests that take turns are alive, also while they leave the event loop no time to say so.
    Atomics.add(this.#cells, CELL.heartbeat, 1)
  }
}

/** Those of this thread. */
export const turns = new Turns()
