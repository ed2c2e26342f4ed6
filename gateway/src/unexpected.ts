/**
 * What a client is told of an error that has no answer of its own.
 *
 * @module
 */
import { logUnexpected } from './log.ts'
import type { Scope } from './scope.ts'
import { ConfigurationError } from './settings.ts'

/** The log keeps what the client must not see. */
export function unexpectedError(
  scope: Pick<Scope, 'requestId'>,
  error: unknown,
): { code: string; message: string } {
  if (error instanceof ConfigurationError) return { code: 'configuration', message: error.message }
  logUnexpected(scope, error)
  return { code: 'internal', message: 'The gateway failed; see its log.' }
}
