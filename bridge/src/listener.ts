/**
 * One socket of a stream, and what is remembered of it.
 *
 * @module
 */
import type { PublicJob } from 'ftl-sdk/contract'
import { endMessage, progressMessage } from './messages.ts'
import type { ServerSocket } from './workerd.ts'

/** The guide asks the client to close first; one that does not is closed after this time. */
const CLOSE_GRACE_MS = 2_000

/** A listener has nothing to say. What it sends is dropped; more than this ends the socket. */
const MAX_MESSAGES_A_MINUTE = 60
const MAX_MESSAGE_LENGTH = 4_096
const MINUTE_MS = 60_000

const NORMAL_CLOSURE = 1000
const POLICY_VIOLATION = 1008

export interface ListenerOptions {
  streamId: string
  /** Where this client reaches `/outputs/`, without a slash at the end. */
  origin: string
  /** Whether it asked for `stream/progress`. */
  wantsProgress: boolean
}

export class Listener {
  readonly streamId: string
  readonly origin: string
  readonly #socket: ServerSocket
  readonly #wantsProgress: boolean
  /** The newest change this client was told of. */
  #seq = -1
  #closeAt = Infinity
  #heard = { since: 0, count: 0 }

  constructor(socket: ServerSocket, { streamId, origin, wantsProgress }: ListenerOptions) {
    this.#socket = socket
    this.streamId = streamId
    this.origin = origin
    this.#wantsProgress = wantsProgress
  }

  /** When the server closes, in milliseconds of `Date.now()`; never before the end was sent. */
  get closeAt(): number {
    return this.#closeAt
  }

  /** Whether it was told how the job ended, or that nobody knows. */
  get isFinished(): boolean {
    return this.#closeAt !== Infinity
  }

  /** Tells of a change, once, and only who asked for it. */
  progress(job: PublicJob): void {
    if (!this.#wantsProgress || this.isFinished || job.seq <= this.#seq) return
    this.#seq = job.seq
    this.#send(progressMessage(job))
  }

  /** Sends the one chunk and the end; the client then has a moment to close first. */
  finish(chunk: string): void {
    if (this.isFinished) return
    this.#closeAt = Date.now() + CLOSE_GRACE_MS
    this.#send(chunk)
    this.#send(endMessage(this.streamId))
  }

  close(code = NORMAL_CLOSURE, reason?: string): void {
    try {
      this.#socket.close(code, reason)
    } catch {
      // It is closed already.
    }
  }

  /**
   * Takes note of a message, and closes the socket of a client that does not stop sending.
   *
   * workerd answers a client's ping frames but never sends one, and a browser cannot. So who must keep an idle
   * proxy awake may send the text `ping`; nobody else ever sees the answer.
   */
  hear(message: unknown): void {
    const now = Date.now()
    if (now - this.#heard.since >= MINUTE_MS) this.#heard = { since: now, count: 0 }
    const tooLong = lengthOf(message) > MAX_MESSAGE_LENGTH
    if (tooLong || ++this.#heard.count > MAX_MESSAGES_A_MINUTE) {
      this.close(POLICY_VIOLATION, 'nothing is expected from a listener')
    } else if (message === 'ping') this.#send('pong')
  }

  #send(message: string): void {
    try {
      this.#socket.send(message)
    } catch {
      // The client has gone.
    }
  }
}

function lengthOf(message: unknown): number {
  if (typeof message === 'string') return message.length
  if (message instanceof Blob) return message.size
  return message instanceof ArrayBuffer ? message.byteLength : 0
}
