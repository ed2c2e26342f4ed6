/** Lists of the components that worked for requests. */

const MAX_CHAIN = 32

/** A guest may make up names; those of components are shorter. */
const MAX_NAME = 128

/** Lists that are remembered; an application has fewer. */
const MAX_KNOWN = 256
const MAX_KEY = 512

/** Each component once, in the order in which they were called, of bounded size. */
export const chainOf = (called: readonly string[]): readonly string[] =>
  [...new Set(called)].slice(0, MAX_CHAIN).map((name) => name.slice(0, MAX_NAME))

/** Requests of the same components share one list: of a thousand requests, a thousand lists would be kept. */
export class Chains {
  readonly #known = new Map<string, readonly string[]>()

  of(called: readonly string[]): readonly string[] {
    const [only = ''] = called
    const key = called.length === 1 ? only : called.join(' ')
    const known = this.#known.get(key)
    if (known) return known
    const chain = chainOf(called)
    if (key.length > MAX_KEY) return chain
    if (this.#known.size >= MAX_KNOWN) this.#known.clear()
    this.#known.set(key, chain)
    return chain
  }
}
