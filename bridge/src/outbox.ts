/**
 * What one client is sent, and how much of it may lie in memory because the client does not read.
 *
 * A socket of workerd keeps in memory what its client has not taken. Where the runtime tells how much that is
 * (`bufferedAmount`), it is asked. The workerd of today does not; there everything counts as unread until the
 * client says otherwise with `ack {seq}` of a preview.
 *
 * @see https://github.com/cloudflare/workerd/issues/988
 * @module
 */
import type { ServerSocket } from './workerd.ts'

/** @see https://www.iana.org/assignments/websocket/websocket.xhtml#close-code-number */
export const TRY_AGAIN_LATER = 1013

/** The part of the limit that previews may fill, so that progress still fits when they do not. */
const SHARE_OF_PREVIEWS = 0.5

export class Outbox {
  readonly #socket: ServerSocket
  readonly #limit: number
  /** Characters sent, and how many of them the client is known to have read. */
  #sent = 0
  #read = 0
  /** What had been sent when a preview was, by its number. */
  readonly #marks = new Map<number, number>()

  /** @param limit bytes of messages that are not the end. */
  constructor(socket: ServerSocket, limit: number) {
    this.#socket = socket
    this.#limit = limit
  }

  /** For what must arrive: the chunk and the end. */
  send(message: string): void {
    this.#sent += message.length
    try {
      this.#socket.send(message)
    } catch {
      // The client has gone.
    }
  }

  /**
   * For what a client can do without. Left out when it is behind.
   *
   * @returns whether the client is so far behind that it should be closed; never of one that cannot be told
   *   from one that reads and does not say so.
   */
  offer(message: string): 'sent' | 'left-out' | 'too-slow' {
    if (this.#backlog + message.length > this.#limit) {
      return this.#isMeasured ? 'too-slow' : 'left-out'
    }
    this.send(message)
    return 'sent'
  }

  /** A preview is worth nothing late: it is left out much earlier. */
  offerPreview(seq: number, message: string): void {
    if (this.#backlog + message.length > this.#limit * SHARE_OF_PREVIEWS) return
    this.send(message)
    if (this.#buffered === undefined) this.#marks.set(seq, this.#sent)
  }

  /**
   * The client has read the preview of this number, and so all that was sent before it.
   *
   * @returns whether there was such a preview to acknowledge.
   */
  acknowledge(seq: number): boolean {
    const mark = this.#marks.get(seq)
    if (mark === undefined) return false
    this.#read = mark
    // Each number counts once, and so do those before it.
    for (const known of this.#marks.keys()) if (known <= seq) this.#marks.delete(known)
    return true
  }

  get #backlog(): number {
    return this.#buffered ?? this.#sent - this.#read
  }

  get #isMeasured(): boolean {
    return this.#buffered !== undefined || this.#read > 0
  }

  get #buffered(): number | undefined {
    const { bufferedAmount } = this.#socket as Partial<ServerSocket>
    return bufferedAmount
  }
}
