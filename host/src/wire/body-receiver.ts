import { HttpError, type HttpErrorCode } from '../http/http-error.ts'
import { Pipe } from '../http/pipe.ts'
import type { BodyMessage, Post } from './messages.ts'

/** Bytes received before an ack is sent: fewer messages, and the sender still has most of its window left. */
const ACK_AT = 64 * 1024

/** A pipe that another thread writes to. */
export class BodyReceiver {
  readonly pipe = new Pipe()
  readonly #id: number
  readonly #post: Post<BodyMessage>
  #owed = 0
  #over = false
  #watching = false

  constructor(id: number, post: Post<BodyMessage>) {
    this.#id = id
    this.#post = post
    this.pipe.whenCancelled(() => {
      if (!this.#over) post({ type: 'cancel', id })
      this.#over = true
    })
  }

  chunk(bytes: Uint8Array): void {
    // A reader that passes them on to another thread gives them away at once.
    const { length } = bytes
    this.pipe.write(bytes)
    this.#owed += length
    this.#settle()
  }

  end(): void {
    this.#over = true
    this.pipe.end()
  }

  fail(code: HttpErrorCode, message: string): void {
    this.#over = true
    this.pipe.fail(new HttpError(code, message))
  }

  #settle(): void {
    if (this.#over) return
    if (this.pipe.permit() === 0) {
      if (!this.#watching) {
        this.#watching = true
        this.pipe.writable.onReady(() => {
          this.#watching = false
          this.#settle()
        })
      }
    } else if (this.#owed >= ACK_AT) {
      this.#post({ type: 'ack', id: this.#id, bytes: this.#owed })
      this.#owed = 0
    }
  }
}
