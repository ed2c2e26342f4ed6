import type { RequestId } from '@modelcontextprotocol/client'

/** Requests that wait for their answer; what breaks can then say whose answer it took. */
export class Pending {
  readonly #ids = new Set<RequestId>()

  add(id: RequestId): void {
    this.#ids.add(id)
  }

  /** Whether it still waited. */
  settle(id: RequestId): boolean {
    return this.#ids.delete(id)
  }

  /** The request an answer that names `id` belongs to; the only one there is when the id could not be read. */
  owner(id: RequestId | undefined): RequestId | undefined {
    if (id !== undefined) return this.#ids.has(id) ? id : undefined
    return this.#ids.size === 1 ? this.#ids.values().next().value : undefined
  }

  get size(): number {
    return this.#ids.size
  }
}
