import { type ClientError, StateError } from './errors.ts'

/** `failed`: the server could not be spoken with, or is gone; only `close` is left to do. */
export type ClientState = 'created' | 'ready' | 'failed' | 'closed'

/** Which state a client is in, and what may be asked of it there. */
export class Lifecycle {
  readonly #name: string
  #state: ClientState = 'created'
  #failure: ClientError | undefined

  /** @param name of the client, for messages. */
  constructor(name: string) {
    this.#name = name
  }

  get state(): ClientState {
    return this.#state
  }

  /** Why it failed; kept when it is closed afterwards. */
  get failure(): ClientError | undefined {
    return this.#failure
  }

  get closed(): boolean {
    return this.#state === 'closed'
  }

  ready(): void {
    this.#state = 'ready'
  }

  /** Whether it was ready until now. */
  fail(failure: ClientError): boolean {
    const wasReady = this.#state === 'ready'
    if (!wasReady && this.#state !== 'created') return false
    this.#state = 'failed'
    this.#failure = failure
    return wasReady
  }

  close(): void {
    this.#state = 'closed'
  }

  /** @throws {StateError} @throws {ClientError} why it failed. */
  expectReady(): void {
    if (this.#state !== 'ready') throw this.notNow('ready')
  }

  /** The error of a call that needs another state. */
  notNow(wanted: ClientState): ClientError {
    if (this.closed) return new StateError(`client "${this.#name}" is closed`)
    if (this.#failure) return this.#failure
    return wanted === 'ready'
      ? new StateError(`client "${this.#name}" is not initialized: call initialize() first`)
      : new StateError(`client "${this.#name}" is initialized already`)
  }
}
