import { inLane, mayGoOn } from '../instance/lanes.ts'
import { keyOf } from '../wire/guest-cells.ts'
import type { ToWorker } from '../wire/messages.ts'

export type RequestMessage = Extract<ToWorker, { type: 'request' }>
/** What follows a request. */
export type FollowingMessage = Exclude<Extract<ToWorker, { id: number }>, { type: 'request' }>

export interface InboxOptions {
  serve: (message: RequestMessage) => void
  follow: (message: FollowingMessage) => void
  /** The client of a request left before it began: it never begins. */
  drop: (message: RequestMessage) => void
}

/**
 * Requests that have not begun.
 *
 * Requests that have begun go first: a burst would otherwise begin all at once, each in an instance of its own, and a
 * thread that is busy with sixty of them ends none.
 */
export class Inbox {
  readonly #options: InboxOptions
  readonly #waiting = new Map<number, [RequestMessage, ...FollowingMessage[]]>()

  constructor(options: InboxOptions) {
    this.#options = options
  }

  get size(): number {
    return this.#waiting.size
  }

  request(message: RequestMessage): void {
    const { id, component, sender } = message
    const key = keyOf(component, sender)
    if (this.#waiting.size === 0 && mayGoOn(performance.now(), key)) {
      return this.#options.serve(message)
    }
    this.#waiting.set(id, [message])
    inLane(() => this.#begin(id), undefined, key)
  }

  follow(message: FollowingMessage): void {
    const waiting = this.#waiting.get(message.id)
    if (!waiting) this.#options.follow(message)
    else if (message.type !== 'left') waiting.push(message)
    else {
      this.#waiting.delete(message.id)
      this.#options.drop(waiting[0])
    }
  }

  #begin(id: number): void {
    const waiting = this.#waiting.get(id)
    // Its client has left.
    if (waiting === undefined) return
    this.#waiting.delete(id)
    const [request, ...following] = waiting
    this.#options.serve(request)
    for (const message of following) this.#options.follow(message)
  }
}
