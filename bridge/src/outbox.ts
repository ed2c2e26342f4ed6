/**
 * Sends messages to one client, and limits how many are kept in memory because the client does not read them.
 *
 * A socket of workerd keeps in memory what its client has not read. If the runtime reports how much that is
 * (`bufferedAmount`), that number is used. Today's workerd does not report it; then everything counts as unread until
 * the client acknowledges a preview with `ack {seq}`.
 *
 * @see https://github.com/cloudflare/workerd/issues/988
 */
import type { ServerSocket } from './workerd.ts'

/** @see https://www.iana.org/assignments/websocket/websocket.xhtml#close-code-number */
export const TRY_AGAIN_LATER = 1013

/** The part of the limit that previews may fill, so that there is still room for progress. */
const SHARE_OF_PREVIEWS = 0.5

export class Outbox {
  readonly #socket: ServerSocket
  readonly #limit: number
  /** Characters sent, and how many of them the client is known to have read. */
  #sent = 0
  #read = 0
  /** The value of `#sent` after each preview, by its number. */
  readonly #marks = new Map<number, number>()

  /** @param limit unread bytes beyond which only the chunk and the end are sent. */
  constructor(socket: ServerSocket, limit: number) {
    this.#socket = socket
    this.#limit = limit
  }

  /** Sends what must arrive: the chunk and the end. */
  send(message: string): void {
    this.#sent += message.length
    try {
      this.#socket.send(message)
    } catch {
      // The client has gone.
    }
  }

  /**
   * Sends what a client can do without; leaves it out if the client is behind.
   *
   * @returns `too-slow` if the client should be closed because it is too far behind. Without `bufferedAmount` and
   *   acknowledgements this is never known, because the client may read without acknowledging.
   */
  offer(message: string): 'sent' | 'left-out' | 'too-slow' {
    if (this.#backlog + message.length > this.#limit) {
      return this.#isMeasured ? 'too-slow' : 'left-out'
    }
    this.send(message)
    return 'sent'
  }

  /** Sends a preview. Late previews are worthless, so they are left out much earlier. */
  offerPreview(seq: number, message: string): void {
    if (this.#backlog + message.length > this.#limit * SHARE_OF_PREVIEWS) return
    this.send(message)
    if (this.#buffered === undefined) this.#marks.set(seq, this.#sent)
  }

  /**
   * Records that the client has read this preview, and so everything sent before it.
   *
   * @returns whether there was such a preview to acknowledge.
   */
  acknowledge(seq: number): boolean {
    const mark = this.#marks.get(seq)
    if (mark === undefined) return false
    this.#read = mark
    // An acknowledgement covers the earlier previews too, and each counts only once.
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
