/** Counts what each client has at the moment, up to a limit. */
export class Tally {
  readonly #limit: number
  readonly #counts = new Map<string, number>()

  constructor(limit: number) {
    this.#limit = limit
  }

  /** @returns `false` at the limit; then nothing was counted. @param key `undefined` is not counted. */
  enter(key: string | undefined): boolean {
    if (key === undefined) return true
    const count = this.#counts.get(key) ?? 0
    if (count >= this.#limit) return false
    this.#counts.set(key, count + 1)
    return true
  }

  leave(key: string | undefined): void {
    if (key === undefined) return
    const count = this.#counts.get(key) ?? 0
    if (count > 1) this.#counts.set(key, count - 1)
    else this.#counts.delete(key)
  }
}
