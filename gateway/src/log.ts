/** Logs details that the client must not see. */
import { ConfigurationError } from 'ftl-http'
import type { Scope } from './scope.ts'
import { isStoreFailure, STORE_FAILURE } from './store-failure.ts'

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

export interface PublicError {
  code: string
  message: string
  retryAfterSeconds?: number
}

/** The status and the public form of an unexpected error, whose details are logged. */
export function unexpectedError(
  scope: Pick<Scope, 'requestId'>,
  error: unknown,
): { status: number; error: PublicError } {
  if (error instanceof ConfigurationError) {
    return { status: 500, error: { code: 'configuration', message: error.message } }
  }
  if (isStoreFailure(error)) {
    logError(scope, 'failed', error)
    const { status, ...shown } = STORE_FAILURE
    return { status, error: shown }
  }
  logUnexpected(scope, error)
  return { status: 500, error: { code: 'internal', message: 'The gateway failed; see its log.' } }
}
