/**
 * The body of a request from outside: how long it may be, how long it may be silent, and how much of it is here before
 * a component is asked.
 */
import type { IncomingMessage } from 'node:http'
import { HttpError } from '../http/http-error.ts'
import { Pipe } from '../http/pipe.ts'
import { feed } from '../http/bodies.ts'
import { Deadline } from '../http/deadline.ts'

/**
 * A body up to this size is read before it takes an instance, so a client that sends it slowly costs a socket. A longer
 * one takes an instance once this much of it is here. Bytes, fewer than a pipe holds.
 */
const SMALL_BODY = 64 * 1024

/**
 * Milliseconds the host waits for a longer body, or one of unknown length. Then the component gets the part that has arrived,
 * because the client may wait for an answer to it before it sends the rest.
 */
const HEAD_START_MS = 100

/** A small body has this many times the time it may be silent; a byte every few seconds would otherwise last for days. */
const SMALL_BODY_PATIENCE = 4

/** Why a body is given up. */
export type BodyFault = 'too-long' | 'silent'

export interface IncomingBodyOptions {
  maxBytes: number
  /** Milliseconds without a byte, while bytes are wanted. */
  idleMs: number
  onFault: (fault: BodyFault) => void
}

export class IncomingBody {
  readonly pipe: Pipe
  readonly #request: IncomingMessage
  readonly #options: IncomingBodyOptions
  /** As announced; infinite when it comes in chunks. */
  readonly #length: number
  #silence: Deadline | undefined

  constructor(request: IncomingMessage, options: IncomingBodyOptions) {
    this.#request = request
    this.#options = options
    const { headers } = request
    const chunked = headers['transfer-encoding'] !== undefined
    this.#length = chunked ? Infinity : Number(headers['content-length'] ?? 0)
    this.pipe = this.#length > 0 ? new Pipe() : Pipe.empty()
    if (this.#length > 0) this.#receive()
  }

  /**
   * Waits for one turn of the event loop, in which most bodies are whole.
   *
   * @returns whether the wait is over.
   */
  async came(): Promise<boolean> {
    await this.#until(() => false, setImmediate, clearImmediate)
    if (this.#settled) return true
    const { idleMs } = this.#options
    this.#silence = new Deadline(idleMs, () => this.#silent())
    return false
  }

  /** Waits until so much of the body is here that its component may begin. */
  async begins(): Promise<void> {
    if (this.#length <= SMALL_BODY) {
      const milliseconds = SMALL_BODY_PATIENCE * this.#options.idleMs
      const slow = () => this.#fail('silent', `a small body took longer than ${milliseconds} ms`)
      const patience = new Deadline(milliseconds, slow)
      await this.#until(() => false)
      return patience.clear()
    }
    const enough = () => this.pipe.queued >= SMALL_BODY
    const later = (done: () => void) => setTimeout(done, HEAD_START_MS)
    return this.#until(enough, later, clearTimeout)
  }

  /** Ends the waiting for a client that others have waited behind for too long. */
  giveUp(): void {
    this.#fail('silent', 'the body was too slow while too many others were waited for')
  }

  get #settled(): boolean {
    const { ended, failure, cancelled } = this.pipe
    return ended || failure !== undefined || cancelled
  }

  #receive(): void {
    const { maxBytes } = this.#options
    let size = 0
    this.#request.on('data', (chunk: Buffer) => {
      size += chunk.length
      this.#silence?.restart()
      if (size > maxBytes) this.#fail('too-long', `the body has more than ${maxBytes} bytes`)
    })
    const over = () => this.#silence?.clear()
    this.#request.once('end', over)
    this.#request.once('close', over)
    // Reads and drops the part that the guest does not read, so that the client can read the answer.
    feed(this.#request, this.pipe, () => this.#request.resume())
  }

  #silent(): void {
    // A component that does not read its request stops the client too.
    if (this.#request.isPaused()) this.#silence?.restart()
    else this.#fail('silent', `no byte of the body came for ${this.#options.idleMs / 1000} s`)
  }

  #fail(fault: BodyFault, message: string): void {
    this.#silence?.clear()
    const code = fault === 'too-long' ? 'HTTP-request-body-size' : 'connection-read-timeout'
    if (this.pipe.failure) return
    this.pipe.fail(new HttpError(code, message))
    this.#options.onFault(fault)
  }

  /** Waits until the body has ended or failed, `enough` holds or the timer is over. */
  async #until<T>(
    enough: () => boolean,
    start?: (done: () => void) => T,
    stop?: (timer: T) => void,
  ): Promise<void> {
    if (this.#settled || enough()) return
    await new Promise<void>((resolve) => {
      const timer = start?.(() => done())
      const watch = () => {
        if (this.#settled || enough()) done()
        else unsubscribe = this.pipe.onReady(watch)
      }
      let unsubscribe = this.pipe.onReady(watch)
      const done = () => {
        unsubscribe()
        if (timer !== undefined) stop?.(timer)
        resolve()
      }
    })
  }
}

/** Bodies that may wait at the same time. With 64 KiB each they take 64 MB at most. */
const MOST = 1000

/**
 * Bodies of which too little has arrived to start an instance.
 *
 * When there are too many, the host refuses the one that has waited longest, and never a new request. Honest clients send a
 * small body at once, so this affects clients that hold a place for long.
 */
export class WaitingBodies {
  readonly #waiting = new Set<IncomingBody>()

  /** Waits until enough of a body has arrived, or it has failed. */
  async wait(body: IncomingBody): Promise<void> {
    if (this.#waiting.size >= MOST) {
      const [longest] = this.#waiting
      if (longest) this.#waiting.delete(longest)
      longest?.giveUp()
    }
    this.#waiting.add(body)
    await body.begins()
    this.#waiting.delete(body)
  }
}
