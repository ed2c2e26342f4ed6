/** Maps an unexpected error to a safe public error. */
import { logUnexpected } from './log.ts'
import type { Scope } from './scope.ts'
import { ConfigurationError } from './settings.ts'

/** Logs the details, which the client must not see. */
export function unexpectedError(
  scope: Pick<Scope, 'requestId'>,
  error: unknown,
): { code: string; message: string } {
  if (error instanceof ConfigurationError) return { code: 'configuration', message: error.message }
  logUnexpected(scope, error)
  return { code: 'internal', message: 'The gateway failed; see its log.' }
}
