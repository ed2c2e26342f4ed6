/**
 * One instance's side of the host: its memory, its handles and what it waits for.
 *
 * @module
 */
import { HandleTable } from './handles.ts'
import { GuestMemory } from './memory.ts'
import { type Pollable, turnIsOver } from './readiness.ts'
import type { ComponentServices } from './services.ts'

export class Guest {
  readonly memory = new GuestMemory()
  readonly handles = new HandleTable()
  readonly services: ComponentServices
  /** Set for each request. See {@link GuestRequest.depth}. */
  depth = 0
  #unpark: (() => void) | undefined

  constructor(services: ComponentServices) {
    this.services = services
  }

  /**
   * Runs `done` once one of `pollables` is ready.
   *
   * @returns a promise only when the guest has to wait, so that a call that need not wait does not suspend.
   */
  whenReady<T>(pollables: readonly Pollable[], done: () => T): T | Promise<T> {
    if (!turnIsOver()) {
      if (pollables.some((pollable) => pollable.ready())) return done()
    } else if (pollables.some((pollable) => pollable.ready())) {
      return new Promise((resolve) => setImmediate(resolve)).then(done)
    }
    return this.#wait(pollables).then(done)
  }

  /** Ends the wait of a guest that will not be woken: its timers must not keep the process alive. */
  abandon(): void {
    this.#unpark?.()
    this.#unpark = undefined
    this.handles.clear()
  }

  async #wait(pollables: readonly Pollable[]): Promise<void> {
    do {
      await new Promise<void>((resolve) => {
        const subscriptions: (() => void)[] = []
        const unpark = () => {
          for (const unsubscribe of subscriptions) unsubscribe()
        }
        const wake = () => {
          unpark()
          this.#unpark = undefined
          if (turnIsOver()) setImmediate(resolve)
          else resolve()
        }
        for (const pollable of pollables) subscriptions.push(pollable.onReady(wake))
        this.#unpark = unpark
      })
    } while (!pollables.some((pollable) => pollable.ready()))
  }
}
