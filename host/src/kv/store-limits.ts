/** What one component may keep in its stores. */
import { KeyValueError } from './key-value.ts'

export interface StoreLimits {
  /**
   * Entries of one component. Without a limit a component that is called often, or means harm, fills the disk.
   *
   * @default 100_000
   */
  maxStoreKeys: number
  /** Bytes of one component's keys and values together. @default 268_435_456 (256 MiB) */
  maxStoreBytes: number
}

export const STORE_LIMITS: StoreLimits = {
  maxStoreKeys: 100_000,
  maxStoreBytes: 256 * 1024 ** 2,
}

/** @param reason goes to the guest. */
export function overQuota(reason: string): KeyValueError {
  return new KeyValueError('other', `quota exceeded: ${reason}`)
}
