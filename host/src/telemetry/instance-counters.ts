/** How many instances a worker made, put back and gave up: numbers that the main thread reads whenever it likes. */

const CREATED = 0
const RESETS = 1
const DISCARDED = 2
/** Memory of those there are, in pages of 64 KiB. */
const PAGES = 3
const CELLS = 4

export interface InstanceCount {
  created: number
  /** Put back to the first state after a request. */
  resets: number
  /** Of those created, how many there still are. */
  live: number
  /** Bytes of their memory. */
  memory: number
}

const PAGE_BYTES = 64 * 1024

/** @param components how many there are. */
function counterCells(components: number): Int32Array {
  return new Int32Array(new SharedArrayBuffer(4 * CELLS * components))
}

/** A worker's side, for one component. */
export class InstanceCounters {
  readonly #cells: Int32Array
  readonly #at: number

  constructor(cells: Int32Array, component: number) {
    this.#cells = cells
    this.#at = component * CELLS
  }

  readonly created = (): void => void Atomics.add(this.#cells, this.#at + CREATED, 1)
  readonly reset = (): void => void Atomics.add(this.#cells, this.#at + RESETS, 1)
  readonly discarded = (): void => void Atomics.add(this.#cells, this.#at + DISCARDED, 1)
  /** Their memory has grown, or there is less of it. @param bytes the difference */
  readonly holds = (bytes: number): void =>
    void Atomics.add(this.#cells, this.#at + PAGES, Math.round(bytes / PAGE_BYTES))
}

/** The main thread's side: all workers together, and those that are gone. */
export class InstanceTotals {
  readonly #components: readonly string[]
  readonly #threads = new Set<Int32Array>()
  /** What threads had counted that have ended; totals must not fall. */
  readonly #past: Int32Array

  constructor(components: readonly string[]) {
    this.#components = components
    this.#past = counterCells(components.length)
  }

  /** Cells for a new thread. */
  open(): Int32Array {
    const cells = counterCells(this.#components.length)
    this.#threads.add(cells)
    return cells
  }

  /** Its thread has ended, and its instances with it. */
  close(cells: Int32Array): void {
    if (!this.#threads.delete(cells)) return
    for (let at = 0; at < cells.length; at += CELLS) {
      const created = Atomics.load(cells, at + CREATED)
      Atomics.add(this.#past, at + CREATED, created)
      Atomics.add(this.#past, at + RESETS, Atomics.load(cells, at + RESETS))
      Atomics.add(this.#past, at + DISCARDED, created)
    }
  }

  read(): ({ component: string } & InstanceCount)[] {
    return this.#components.map((component, index) => {
      const sum = (cell: number) =>
        [this.#past, ...this.#threads].reduce(
          (total, cells) => total + Atomics.load(cells, index * CELLS + cell),
          0,
        )
      const created = sum(CREATED)
      const live = created - sum(DISCARDED)
      return { component, created, resets: sum(RESETS), live, memory: sum(PAGES) * PAGE_BYTES }
    })
  }
}
