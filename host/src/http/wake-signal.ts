/** Signals that wake waiters without promises that outlive the wait. */

/** Something that is ready now or later; the host's side of a `wasi:io/poll` pollable. */
export interface Pollable {
  ready(): boolean
  /** Calls `wake` at the next change that may have made it ready. The returned function unsubscribes. */
  onReady(wake: () => void): () => void
}

/** Notifies any number of waiters of a change, each at most once. */
export class Signal {
  readonly #waiters = new Set<() => void>()

  subscribe(wake: () => void): () => void {
    this.#waiters.add(wake)
    return () => this.#waiters.delete(wake)
  }

  notify(): void {
    if (this.#waiters.size === 0) return
    const waiters = [...this.#waiters]
    this.#waiters.clear()
    for (const wake of waiters) wake()
  }
}

export const ALWAYS_READY: Pollable = { ready: () => true, onReady: () => () => {} }
