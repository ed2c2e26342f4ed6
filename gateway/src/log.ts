/**
 * What the log keeps and the client must not see.
 *
 * @module
 */
import type { Scope } from './scope.ts'

/**
 * One line, beginning with the request's id.
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

/** An error nobody expected, with its stack. The engine of a component leaves name and message out of that. */
export function logUnexpected(scope: Pick<Scope, 'requestId'>, error: unknown): void {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error))
  logError(scope, 'failed', `${name}: ${message}\n${stack}`)
}
