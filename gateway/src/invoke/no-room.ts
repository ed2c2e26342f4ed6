import type { StoreFull } from '../store-failure.ts'
import type { Failure } from './outcome.ts'

/** The outcome of a call whose job or program cannot be kept. */
export function noRoom({ message, retryAfterSeconds }: StoreFull): Failure {
  return { kind: 'over-limit', message, retryAfterSeconds, isFull: true }
}
