/** The calls of a log that have begun: each has a line of its beginning, and one of its end with the same `call`. */
import type { Fields } from './show.ts'

/** Calls that are remembered at once: a host serves far fewer, and what Spin leaves open must not fill the memory. */
const MAX_OPEN = 100_000

export class OpenCalls<About> {
  #open = new Map<string, About>()

  /**
   * @param about what is remembered of the beginning of a call.
   * @returns the calls that this line shows to have no end.
   */
  take({ event, call }: Fields, about: About): About[] {
    // Another start of the host: what ran in the one before has ended with it.
    if (event === 'started') return this.rest()
    if (typeof call !== 'string') return []
    if (event === 'call') this.#open.delete(call)
    if (event === 'begin' && this.#open.size < MAX_OPEN) this.#open.set(call, about)
    return []
  }

  /** Those that have no end so far. */
  rest(): About[] {
    const rest = [...this.#open.values()]
    this.#open = new Map()
    return rest
  }
}
