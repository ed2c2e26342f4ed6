/** Lines of the audit log about requests beyond a limit: few, however many such requests there are. */
import type { LimitName } from './limiter.ts'

/** Milliseconds in which refusals of the same sender are one line. */
const WINDOW_MS = 10_000

/** Senders that are counted apart. */
const MAX_SENDERS = 1000

export interface RefusedSender {
  by: LimitName
  principal: string | undefined
  address: string | undefined
}

interface Counted extends RefusedSender {
  /** Since the last line. */
  count: number
  /** Of the last line. */
  at: number
}

export class RefusalLog {
  readonly #write: (sender: RefusedSender, count: number) => void
  readonly #now: () => number
  readonly #senders = new Map<string, Counted>()

  constructor(
    write: (sender: RefusedSender, count: number) => void,
    now: () => number = () => performance.now(),
  ) {
    this.#write = write
    this.#now = now
  }

  /** The first refusal is written at once, further ones of the same sender together. */
  note(sender: RefusedSender): void {
    const { by, principal, address } = sender
    const key = JSON.stringify([by, principal ?? address])
    const known = this.#senders.get(key)
    if (known) {
      known.count++
      return
    }
    if (this.#senders.size >= MAX_SENDERS) this.flush(Infinity)
    this.#senders.set(key, { ...sender, count: 0, at: this.#now() })
    this.#write(sender, 1)
  }

  /** Writes what has been counted, of senders whose window is over. @param now `Infinity` for all of them. */
  flush(now = this.#now()): void {
    for (const [key, sender] of this.#senders) {
      if (now - sender.at < WINDOW_MS) continue
      const { by, principal, address, count } = sender
      if (count === 0) this.#senders.delete(key)
      else {
        this.#write({ by, principal, address }, count)
        sender.count = 0
        sender.at = this.#now()
      }
      if (now === Infinity) this.#senders.delete(key)
    }
  }
}
