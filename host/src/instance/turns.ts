/**
 * Records which guest runs on this thread, in memory that the main thread can read.
 *
 * A guest that never yields blocks its thread, so the main thread cannot ask it and only reads the last record.
 */

/** Identifies a guest by numbers, which fit into shared memory. */
export interface Seat {
  /** Id of the request from outside that it works for. */
  readonly root: number
  /** Index of its component in the application. */
  readonly component: number
  /** How many calls to that component the request had made before. */
  readonly nth: number
}

/** Cells of the shared array. */
export const CELL = { heartbeat: 0, root: 1, component: 2, nth: 3 } as const
export const CELLS = 4

/** Recorded while no guest runs. */
const NOBODY: Seat = { root: 0, component: 0, nth: 0 }

export class Turns {
  #cells: Int32Array = new Int32Array(CELLS)
  /** The guest that {@link call} runs. A nested call restores it afterwards. */
  #called: Seat | undefined
  /** Guests that can continue, in the order in which they will run. */
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

  /** The guest can continue: it gets the thread once those before it wait again. */
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
    // Guests that take turns are alive, even if they leave the event loop no time for the heartbeat timer.
    Atomics.add(this.#cells, CELL.heartbeat, 1)
  }
}

/** For this thread. */
export const turns = new Turns()
