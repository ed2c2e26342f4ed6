/**
 * Holds back what a gateway sends for a request until the lines that it wrote about it are in the audit log.
 *
 * The main thread writes the log, so a line is on its way when its gateway goes on. Mostly it is written before the gateway
 * has worded its request to the component: then this takes one look at a number that both threads share.
 */
import { HttpError } from '../http/http-error.ts'
import type { CallTree } from '../instance/call-tree.ts'
import { CELL } from '../wire/guest-cells.ts'

/** Lines after which one that was not written is forgotten: no request waits as long, and numbers come again. */
const RECENT = 2 ** 20

export class AuditedBegins {
  readonly #cells: Int32Array
  /** Lines that were sent to the main thread. */
  #sent = 0
  /** The last line about each request, by its number. */
  readonly #last = new WeakMap<CallTree, number>()

  /** @param cells shared with the main thread. */
  constructor(cells: Int32Array) {
    this.#cells = cells
  }

  /** The line of a beginning was sent to the main thread. */
  sent(tree: CallTree | undefined): void {
    // As a cell holds it.
    this.#sent = (this.#sent + 1) | 0
    if (tree) this.#last.set(tree, this.#sent)
  }

  /** @returns `undefined` if nothing is to be waited for; otherwise it rejects if the log must have the line, and cannot. */
  written(tree: CallTree | undefined): Promise<void> | undefined {
    const last = tree && this.#last.get(tree)
    if (tree === undefined || last === undefined) return undefined
    return this.#isWritten(last) && !this.#isRefused(last) ? undefined : this.#wait(last)
  }

  async #wait(last: number): Promise<void> {
    for (;;) {
      const now = Atomics.load(this.#cells, CELL.begun)
      if (this.#isWritten(last)) break
      await Atomics.waitAsync(this.#cells, CELL.begun, now).value
    }
    if (this.#isRefused(last)) {
      throw new HttpError('internal-error', 'the audit log cannot be written')
    }
  }

  // Numbers that wrap around are compared by their difference.
  #isWritten(last: number): boolean {
    return ((Atomics.load(this.#cells, CELL.begun) - last) | 0) >= 0
  }

  #isRefused(last: number): boolean {
    const since = (Atomics.load(this.#cells, CELL.unwritten) - last) | 0
    return since >= 0 && since < RECENT
  }
}

/** The main thread's side: a line of a beginning was written, or could not be. */
export function begunWritten(cells: Int32Array, mayGoOn: boolean): void {
  const count = (Atomics.load(cells, CELL.begun) + 1) | 0
  if (!mayGoOn) Atomics.store(cells, CELL.unwritten, count)
  Atomics.store(cells, CELL.begun, count)
  Atomics.notify(cells, CELL.begun)
}
