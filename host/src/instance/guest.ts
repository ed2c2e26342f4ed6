/** One instance's side of the host: its memory, its handles and what it waits for. */
import { Account } from './host-memory-account.ts'
import type { CallTree, Place } from './call-tree.ts'
import { DEFAULT_HOST_SHARE, type HostShare } from './host-share.ts'
import { HandleTable } from './handles.ts'
import { GuestMemory } from './memory.ts'
import { inLane, mayGoOn } from './lanes.ts'
import type { Pollable } from '../http/wake-signal.ts'
import { tracedServices } from './traced-services.ts'
import type { Caller, ComponentServices, GuestRequest } from './services.ts'
import { Trap } from './trap.ts'
import { currentGuest } from './current-guest.ts'
import { type GuestId, keyOf, NO_GUEST } from '../wire/guest-cells.ts'

export class Guest implements Caller {
  readonly memory = new GuestMemory()
  readonly limits: HostShare
  /** What the host holds for it; one for all its handle tables, bodies and messages. */
  readonly account: Account
  readonly handles: HandleTable
  readonly services: ComponentServices
  depth = 0
  tree: CallTree | undefined
  /** Of the request it works for. */
  span: string | undefined
  /** When the request from outside began that it works for, by `performance.now()`. */
  #since = 0
  /** Whose share of the thread it takes. */
  #key = ''
  #place: Place | undefined
  #ended: Trap | undefined
  #endWait: ((reason: Trap) => void) | undefined

  constructor(services: ComponentServices) {
    this.limits = services.limits ?? DEFAULT_HOST_SHARE
    this.account = new Account(this.limits.hostBytes)
    this.handles = new HandleTable(this.account)
    this.services = services.traced ? tracedServices(services, this) : services
  }

  /** {@link NO_GUEST} outside any request. */
  get id(): GuestId {
    return this.#place?.guest ?? NO_GUEST
  }

  /** A request begins. */
  begin({ depth, tree, place, span }: GuestRequest): void {
    this.#since = tree?.since ?? performance.now()
    this.#key = keyOf(this.services.component, tree?.sender ?? '')
    this.depth = depth
    this.span = span
    this.tree = tree
    this.#place = place
  }

  noteEffect(): void {
    if (this.#place) this.tree?.effect(this.#place)
  }

  /**
   * Runs `done` once one of `pollables` is ready.
   *
   * @returns a promise only when the guest has to wait, so that a call that need not wait does not suspend.
   */
  whenReady<T>(pollables: readonly Pollable[], done: () => T): T | Promise<T> {
    if (this.#ended) throw this.#ended
    const ready = pollables.some((pollable) => pollable.ready())
    if (ready && mayGoOn(this.#since, this.#key)) return this.goOn(done)
    currentGuest.leave(this.id)
    const wait = ready ? this.#turn() : this.#wait(pollables)
    return wait.then(() => this.#resume(done))
  }

  /** Runs `done` with what `work` comes to; the guest waits. */
  async whenSettled<T, U>(
    work: Promise<T>,
    done: (outcome: PromiseSettledResult<T>) => U,
  ): Promise<U> {
    currentGuest.leave(this.id)
    const [outcome] = await Promise.allSettled([work])
    return this.#resume(() => done(outcome))
  }

  /**
   * Answers a call that may wait and need not.
   *
   * The first times a thread makes such a call V8 suspends the guest all the same, and it goes on in a turn of its own.
   */
  goOn<T>(done: () => T): T {
    currentGuest.resume(this.id)
    return done()
  }

  /** Ends the guest where it waits, now or the next time. */
  abandon(reason: string): void {
    this.#ended = new Trap(reason)
    this.#endWait?.(this.#ended)
  }

  wasAbandoned(error: unknown): boolean {
    return this.#ended !== undefined && this.#ended === error
  }

  /** It was reset, and may serve again. */
  revive(): void {
    this.#ended = undefined
    this.#endWait = undefined
  }

  #resume<T>(done: () => T): T {
    if (this.#ended) throw this.#ended
    return this.goOn(done)
  }

  /** Waits for the thread. */
  #turn(): Promise<void> {
    const { tree } = this
    if (tree) tree.waitingForThread++
    return new Promise((resolve) =>
      inLane(
        () => {
          if (tree) tree.waitingForThread--
          resolve()
        },
        this.#since,
        this.#key,
      ),
    )
  }

  async #wait(pollables: readonly Pollable[]): Promise<void> {
    do {
      await new Promise<void>((resolve, reject) => {
        const subscriptions: (() => void)[] = []
        const stop = () => {
          for (const unsubscribe of subscriptions) unsubscribe()
          this.#endWait = undefined
        }
        const wake = () => {
          stop()
          resolve(mayGoOn(this.#since, this.#key) ? undefined : this.#turn())
        }
        for (const pollable of pollables) subscriptions.push(pollable.onReady(wake))
        this.#endWait = (reason) => {
          stop()
          reject(reason)
        }
      })
    } while (!this.#ended && !pollables.some((pollable) => pollable.ready()))
  }
}
