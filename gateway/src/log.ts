/** Logs details that the client must not see. */
import { ConfigurationError } from 'ftl-http'
import type { Scope } from './scope.ts'

/**
 * Logs one line that begins with the request's id.
 *
 * @param what failed, for example `job 17 of images`.
 */
export function logError(
  { requestId }: Pick<Scope, 'requestId'>,
  what: string,
  error: unknown,
): void {
  console.error(`[${requestId}] ${what}:`, error instanceof Error ? error.message : error)
}

/** Logs an unexpected error with its stack. In a component, the stack does not contain the name and message. */
export function logUnexpected(scope: Pick<Scope, 'requestId'>, error: unknown): void {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error))
  logError(scope, 'failed', `${name}: ${message}\n${stack}`)
}

/** The public form of an unexpected error, whose details are logged. */
export function unexpectedError(
  scope: Pick<Scope, 'requestId'>,
  error: unknown,
): { code: string; message: string } {
  if (error instanceof ConfigurationError) return { code: 'configuration', message: error.message }
  logUnexpected(scope, error)
  return { code: 'internal', message: 'The gateway failed; see its log.' }
}
