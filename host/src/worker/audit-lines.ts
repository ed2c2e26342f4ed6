/**
 * Lines of gateways on their way to the audit log. However many there are, none is dropped; those that wait when the thread is
 * ended are lost with it, and the host then writes the ends of its calls.
 *
 * A message of its own costs as much as all else about a line. So a line that nothing waits for goes with the answer to its
 * request, which mostly follows at once.
 */
import type { AuditLine, FromWorker, Post } from '../wire/messages.ts'

export class AuditLines {
  readonly #post: Post<FromWorker>
  #held: AuditLine[] = []
  #isDue = false

  constructor(post: Post<FromWorker>) {
    this.#post = post
  }

  /** @param isAwaited a request must not go on without it. */
  add(line: AuditLine, isAwaited: boolean): void {
    this.#held.push(line)
    if (isAwaited) return this.flush()
    if (this.#isDue) return
    this.#isDue = true
    setImmediate(() => {
      this.#isDue = false
      this.flush()
    })
  }

  /** The message, with the lines that wait if it can take them. */
  join(message: FromWorker): FromWorker {
    if (this.#held.length === 0 || message.type !== 'response') return message
    return { ...message, lines: this.#held.splice(0) }
  }

  /** Sends what waits. */
  flush(): void {
    if (this.#held.length > 0) this.#post({ type: 'audit', lines: this.#held.splice(0) })
  }
}
