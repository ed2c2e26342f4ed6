/**
 * Lines of gateways on their way to the audit log, and the requests that wait for them. No line is dropped.
 *
 * The main thread writes the log. It can read a line as soon as this thread continues ({@link AuditRing}). No request changes
 * anything before its line is written. With `--audit-required`, no component gets a call before its line is written.
 */
import { isBegin } from '../audit/call-line.ts'
import { HttpError } from '../http/http-error.ts'
import type { CallTree } from '../instance/call-tree.ts'
import { type AuditLine, AuditRing } from '../wire/audit-ring.ts'
import type { FromWorker, Post } from '../wire/messages.ts'

export class AuditLines {
  readonly #ring: AuditRing
  readonly #ask: () => void
  /** Where the last line about a beginning ends, by request. */
  readonly #last = new WeakMap<CallTree, number>()

  /** @param memory shared with the main thread. */
  constructor(memory: SharedArrayBuffer, post: Post<FromWorker>) {
    this.#ring = new AuditRing(memory)
    this.#ask = () => post({ type: 'audit' })
  }

  add(line: string, tree: CallTree | undefined): void {
    const entry: AuditLine = { line, request: tree?.id }
    const position = this.#ring.put(entry, this.#ask)
    if (tree && isBegin(line)) this.#last.set(tree, position)
  }

  /** @returns `undefined` if nothing is to be waited for; otherwise it rejects if the log must have the line, and cannot. */
  written(tree: CallTree | undefined): Promise<void> | undefined {
    const last = tree && this.#last.get(tree)
    if (last === undefined) return undefined
    if (this.#ring.isTaken(last) && !this.#ring.isRefused(last)) return undefined
    return this.#wait(last)
  }

  /** The same for what cannot wait for a promise, such as a change of an entry: it blocks the thread. */
  hold(tree: CallTree): void {
    const last = this.#last.get(tree)
    if (last === undefined || this.#ring.isTaken(last)) return
    this.#ask()
    this.#ring.wait(last)
  }

  async #wait(last: number): Promise<void> {
    if (!this.#ring.isTaken(last)) {
      this.#ask()
      await this.#ring.whenTaken(last)
    }
    if (this.#ring.isRefused(last)) {
      throw new HttpError('internal-error', 'the audit log cannot be written')
    }
  }
}
