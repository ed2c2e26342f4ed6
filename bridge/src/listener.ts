/** One socket of a stream, and its state. */
import type { PublicJob } from 'ftl-contract'
import type { JobStep } from './live/event.ts'
import { endMessage, heartbeatMessage, progressMessage } from './messages.ts'
import { Outbox, TRY_AGAIN_LATER } from './outbox.ts'
import { Pace } from './pace.ts'
import type { Limits } from './settings.ts'
import type { Wishes } from './wishes.ts'
import type { ServerSocket } from './workerd.ts'

/** Other messages than `ping` and `ack` are dropped; a client that sends more than this is disconnected. */
const MAX_MESSAGES_A_MINUTE = 60
const MINUTE_MS = 60_000

/** At most four a second: a person does not see more, and a phone pays for each. */
const PROGRESS_INTERVAL_MS = 250

const NORMAL_CLOSURE = 1000
const POLICY_VIOLATION = 1008

export interface ListenerOptions {
  streamId: string
  /** Where this client reaches `/outputs/`, without a slash at the end. */
  origin: string
  /** Of an owned job; all listeners of a stream have the same. @default none */
  link?: string | undefined
  wishes: Wishes
  limits: Limits
}

export class Listener {
  readonly streamId: string
  readonly origin: string
  readonly link: string | undefined
  readonly wishes: Wishes
  readonly #socket: ServerSocket
  readonly #limits: Limits
  readonly #outbox: Outbox
  readonly #progress = new Pace<string>(PROGRESS_INTERVAL_MS, (message) => this.#offer(message))
  /** `seq` of the newest record that was offered to this client. */
  #seq = -1
  #closeAt = Infinity
  #beatAt: number
  #heard = { since: 0, count: 0 }

  constructor(socket: ServerSocket, { streamId, origin, link, wishes, limits }: ListenerOptions) {
    this.#socket = socket
    this.streamId = streamId
    this.origin = origin
    this.link = link
    this.wishes = wishes
    this.#limits = limits
    this.#outbox = new Outbox(socket, limits.maxBufferedBytes)
    this.#beatAt = wishes.heartbeat ? Date.now() + limits.heartbeatMs : Infinity
  }

  /** When the server closes, in milliseconds of `Date.now()`; never before the end was sent. */
  get closeAt(): number {
    return this.#closeAt
  }

  /** When the next keep-alive is due, in milliseconds of `Date.now()`. */
  get beatAt(): number {
    return this.#beatAt
  }

  /** Whether the outcome of the job, or an error if it is unknown, was sent. */
  get isFinished(): boolean {
    return this.#closeAt !== Infinity
  }

  /** Sends a change of the record once, if this client asked for progress. */
  progress(job: PublicJob, step?: JobStep): void {
    if (!this.wishes.progress || this.isFinished || job.seq <= this.#seq) return
    this.#seq = job.seq
    this.#progress.offer(progressMessage(this.streamId, job, step))
  }

  /** Sends a step, completed by the record if it is known. */
  step(step: JobStep, job?: PublicJob): void {
    if (!this.wishes.progress || this.isFinished) return
    if (job) this.#seq = Math.max(this.#seq, job.seq)
    this.#progress.offer(progressMessage(this.streamId, job, step))
  }

  preview(seq: number, message: string): void {
    if (this.wishes.previews && !this.isFinished) this.#outbox.offerPreview(seq, message)
  }

  /** Sends a keep-alive if one is due. */
  beat(now: number): void {
    if (this.isFinished || now < this.#beatAt) return
    this.#beatAt = now + this.#limits.heartbeatMs
    this.#offer(heartbeatMessage(this.streamId))
  }

  /** Sends the one chunk and the end; the client then has a moment to close first. */
  finish(chunk: string): void {
    if (this.isFinished) return
    this.#closeAt = Date.now() + this.#limits.closeGraceMs
    this.#beatAt = Infinity
    this.#progress.stop()
    this.#outbox.send(chunk)
    this.#outbox.send(endMessage(this.streamId))
  }

  close(code = NORMAL_CLOSURE, reason?: string): void {
    this.#progress.stop()
    try {
      this.#socket.close(code, reason)
    } catch {
      // It is closed already.
    }
  }

  /**
   * Handles a message from the client, and closes the socket of a client that sends too much.
   *
   * workerd answers a client's ping frames but never sends one, and a browser cannot. So a client that must keep an
   * idle proxy connection open may send the text `ping`; only it gets the answer. `ack 3` confirms that it has read
   * preview 3.
   */
  hear(message: unknown): void {
    const now = Date.now()
    if (now - this.#heard.since >= MINUTE_MS) this.#heard = { since: now, count: 0 }
    const tooLong = lengthOf(message) > this.#limits.maxMessageBytes
    // Each preview can be acknowledged only once, so these are not counted.
    if (!tooLong && this.#isAcknowledgement(message)) return
    if (tooLong || ++this.#heard.count > MAX_MESSAGES_A_MINUTE) {
      this.close(POLICY_VIOLATION, 'nothing is expected from a listener')
    } else if (message === 'ping') this.#offer('pong')
  }

  #isAcknowledgement(message: unknown): boolean {
    const [, seq] = (typeof message === 'string' && /^ack (\d{1,9})$/.exec(message)) || []
    return seq !== undefined && this.#outbox.acknowledge(Number(seq))
  }

  #offer(message: string): void {
    if (this.#outbox.offer(message) !== 'too-slow') return
    this.close(TRY_AGAIN_LATER, 'reading too slowly: connect again for the rest')
  }
}

function lengthOf(message: unknown): number {
  if (typeof message === 'string') return message.length
  if (message instanceof Blob) return message.size
  return message instanceof ArrayBuffer ? message.byteLength : 0
}
