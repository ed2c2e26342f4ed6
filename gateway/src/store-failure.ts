/** What a client gets while the key-value store does not answer: the request changed nothing that it would have to undo. */
import { KeyValueError } from 'ftl-platform'

export const STORE_FAILURE = {
  status: 503,
  code: 'store_unavailable',
  message: 'The key-value store of the gateway does not answer. Retry in 2 s.',
  retryAfterSeconds: 2,
} as const

/** Whether the store failed. A store that may not be opened is a mistake in the manifest, and a full one stays full. */
export function isStoreFailure(error: unknown): boolean {
  return error instanceof KeyValueError && error.tag === 'other' && !isOverQuota(error)
}

/** Whether the host has refused a write because the gateway keeps too much. */
export function isOverQuota(error: unknown): boolean {
  return error instanceof KeyValueError && error.message.includes('quota exceeded')
}

/** A wait in a message. */
export function waitOf(seconds: number): string {
  return seconds > 3600 ? `${Math.ceil(seconds / 3600)} h` : `${seconds} s`
}

/** There is no room in the store for more of a component or of a caller. The message is for the client. */
export class StoreFull extends Error {
  override readonly name = 'StoreFull'
  readonly retryAfterSeconds: number

  /** @param whom what more would be of. @param retryAfterSeconds until something expires. */
  constructor(whom: string, retryAfterSeconds: number) {
    super(
      `The gateway's store has no space left for ${whom}. Retry in ${waitOf(retryAfterSeconds)}: some of its entries will have expired. ` +
        'The operator can raise store_bytes or lower job_ttl_ms.',
    )
    this.retryAfterSeconds = retryAfterSeconds
  }
}
