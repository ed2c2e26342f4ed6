import type { Tool } from '@modelcontextprotocol/client'

export interface FetchedTools {
  tools: readonly Tool[]
  /** Milliseconds the server says the list is good for. */
  ttlMs?: number
  /** Whether the server tells when the list changes. */
  announced: boolean
}

/** Lifetime of a list if the server gives no `ttlMs` and sends no change notifications. */
const UNTOLD_TTL_MS = 5 * 60_000
/** A server cannot make a client keep a list for ever. */
const LONGEST_TTL_MS = 24 * 60 * 60_000

/** The tools of one server; fetched once for all who ask meanwhile. */
export class ToolCache {
  readonly #fetch: () => Promise<FetchedTools>
  readonly #now: () => number
  #tools: readonly Tool[] | undefined
  #goodUntil = 0
  #generation = 0
  #fetching: Promise<readonly Tool[]> | undefined

  constructor(fetch: () => Promise<FetchedTools>, now = () => performance.now()) {
    this.#fetch = fetch
    this.#now = now
  }

  get(refresh = false): Promise<readonly Tool[]> {
    if (!refresh && this.#tools && this.#now() < this.#goodUntil)
      return Promise.resolve(this.#tools)
    return (this.#fetching ??= this.#refresh(this.#generation))
  }

  /** What was listed last, however old. */
  get last(): readonly Tool[] | undefined {
    return this.#tools
  }

  /** The list has changed; an answer that is on its way may be the old one, so it is not kept. */
  invalidate(): void {
    this.#generation++
    this.#goodUntil = 0
    this.#fetching = undefined
  }

  async #refresh(generation: number): Promise<readonly Tool[]> {
    try {
      const { tools, ttlMs, announced } = await this.#fetch()
      if (generation === this.#generation) {
        this.#tools = tools
        const goodFor = ttlMs ?? (announced ? LONGEST_TTL_MS : UNTOLD_TTL_MS)
        this.#goodUntil = this.#now() + Math.min(goodFor, LONGEST_TTL_MS)
      }
      return tools
    } finally {
      if (generation === this.#generation) this.#fetching = undefined
    }
  }
}
