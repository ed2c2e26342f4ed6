/**
 * Key-value stores as components see them (`fermyon:spin/key-value@2.0.0`).
 *
 * @module
 */

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

/** One label's entries. Every method may throw {@link KeyValueError}. */
export interface KeyValueStore {
  get(key: string): Uint8Array | undefined
  set(key: string, value: Uint8Array): void
  delete(key: string): void
  exists(key: string): boolean
  keys(): string[]
}

/** All stores of an application. */
export interface KeyValueStores {
  open(label: string): KeyValueStore
  close(): void
}
