import { type ClientError, StateError } from './errors.ts'

/** `failed`: the connection could not be made, or was lost; only `close` can still be called. */
export type ClientState = 'created' | 'ready' | 'failed' | 'closed'

/** The state of a client, and the calls it allows. */
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

  /** Why the client failed; kept when it is closed afterwards. */
  get failure(): ClientError | undefined {
    return this.#failure
  }

  get closed(): boolean {
    return this.#state === 'closed'
  }

  ready(): void {
    this.#state = 'ready'
  }

  /** @returns whether the client was ready until now. */
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

  /** @throws {StateError} @throws {ClientError} the failure, if the client failed. */
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
