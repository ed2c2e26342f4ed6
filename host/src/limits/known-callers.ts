/** Which principal a credential belongs to, as the gateway said after it had checked it. */
import { hash } from 'node:crypto'

export class KnownCallers {
  readonly #max: number
  /** By digest, in the order of their last use. The credentials themselves are not kept. */
  readonly #principals = new Map<string, string>()

  /** @param max credentials that are remembered; one that is forgotten counts as unknown once more. */
  constructor(max: number) {
    this.#max = max
  }

  get(digest: string): string | undefined {
    const principal = this.#principals.get(digest)
    if (principal === undefined) return undefined
    this.#principals.delete(digest)
    this.#principals.set(digest, principal)
    return principal
  }

  set(digest: string, principal: string): void {
    this.#principals.delete(digest)
    this.#principals.set(digest, principal)
    if (this.#principals.size <= this.#max) return
    const [oldest] = this.#principals.keys()
    if (oldest !== undefined) this.#principals.delete(oldest)
  }

  delete(digest: string): void {
    this.#principals.delete(digest)
  }
}

/** The name under which a credential is remembered. */
export const digestOf = (credential: string): string => hash('sha256', credential, 'base64')
