import { isMarkedAsUntransferable } from 'node:worker_threads'
import { HttpError } from '../http/http-error.ts'
import type { Pipe } from '../http/pipe.ts'
import type { BodyMessage, Post } from './messages.ts'

/** Bytes under way to a reader that has not taken them yet; with a pipe at each end it bounds a body's memory. */
const WINDOW = 256 * 1024

const CHUNK = 64 * 1024

/** Sends what is written into a pipe to another thread, no faster than it is taken there. */
export class BodySender {
  readonly #id: number
  readonly #pipe: Pipe
  readonly #post: Post<BodyMessage>
  #credit = WINDOW
  #waiting = false
  #over = false
  readonly #onOver: () => void

  /** @param onOver nothing more will be sent. */
  constructor(id: number, pipe: Pipe, post: Post<BodyMessage>, onOver: () => void = () => {}) {
    this.#id = id
    this.#pipe = pipe
    this.#post = post
    this.#onOver = onOver
    this.#pump()
  }

  /** The reader took so many bytes. */
  ack(bytes: number): void {
    this.#credit += bytes
    if (!this.#waiting) this.#pump()
  }

  /** The reader wants no more. */
  cancel(): void {
    if (this.#over) return
    this.#pipe.cancel()
    this.#finish()
  }

  #pump(): void {
    while (!this.#over && this.#credit > 0) {
      let chunk: Uint8Array | undefined
      try {
        chunk = this.#pipe.read(Math.min(CHUNK, this.#credit))
      } catch (error) {
        const { code, message } =
          error instanceof HttpError ? error : new HttpError('internal-error')
        this.#post({ type: 'fail', id: this.#id, code, message })
        return this.#finish()
      }
      if (chunk === undefined) {
        if (!this.#pipe.cancelled) this.#post({ type: 'end', id: this.#id })
        return this.#finish()
      }
      if (chunk.length === 0) return this.#wait()
      this.#credit -= chunk.length
      const bytes = owned(chunk)
      this.#post({ type: 'chunk', id: this.#id, bytes }, [bytes.buffer])
    }
  }

  #finish(): void {
    this.#over = true
    this.#onOver()
  }

  #wait(): void {
    this.#waiting = true
    this.#pipe.onReady(() => {
      this.#waiting = false
      this.#pump()
    })
  }
}

// A view would be sent with all the memory it is a part of, and Node's shared pool cannot be given away.
function owned(chunk: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = chunk
  const whole =
    buffer instanceof ArrayBuffer &&
    buffer.byteLength === chunk.byteLength &&
    !isMarkedAsUntransferable(buffer)
  return whole ? (chunk as Uint8Array<ArrayBuffer>) : new Uint8Array(chunk)
}
