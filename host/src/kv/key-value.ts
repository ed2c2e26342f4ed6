/** Key-value stores as components see them (`fermyon:spin/key-value@2.0.0`). */

/** The cases of the interface's `error` in their order. */
export const KEY_VALUE_ERRORS = [
  'store-table-full',
  'no-such-store',
  'access-denied',
  'other',
] as const

export type KeyValueErrorCode = (typeof KEY_VALUE_ERRORS)[number]

export class KeyValueError extends Error {
  override readonly name = 'KeyValueError'
  readonly code: KeyValueErrorCode

  /** @param message goes to the guest, with the code `other` only. */
  constructor(code: KeyValueErrorCode, message: string = code, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** A plain value where it is at hand, so that the guest need not be suspended for it. */
export type Awaitable<T> = T | Promise<T>

/** The entries of one store. Every method may throw {@link KeyValueError}, or reject with it. */
export interface KeyValueStore {
  get(key: string): Awaitable<Uint8Array | undefined>
  /** Takes the bytes before it returns: `value` may be a view of memory that changes afterwards. */
  set(key: string, value: Uint8Array): Awaitable<void>
  /**
   * Sets `value` if the entry has exactly the bytes `expected`, or does not exist if that is `undefined`; both happen at
   * once, for all hosts that share the store. Takes the bytes before it returns.
   *
   * @returns whether it was set.
   */
  setIf(key: string, expected: Uint8Array | undefined, value: Uint8Array): Awaitable<boolean>
  delete(key: string): Awaitable<void>
  exists(key: string): Awaitable<boolean>
  keys(): Awaitable<string[]>
}

/** All stores in one place. */
export interface KeyValueStores {
  /** @param name what keeps the entries apart from those of other stores; made by the first `open`. */
  open(name: string): KeyValueStore
  close(): void
}
