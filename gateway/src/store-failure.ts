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
  if (!(error instanceof KeyValueError) || error.tag !== 'other') return false
  return !error.message.includes('quota exceeded')
}
