import { AuthorizationResponseError, ResponseBodyError } from 'oauth4webapi'
import { AuthenticationError } from '../errors.ts'
import { remoteText } from './remote-text.ts'

/** For servers that send a code and no description. @see https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2.1 */
const MEANINGS: ReadonlyMap<string, string> = new Map([
  ['access_denied', 'it was declined, or the server does not permit what was asked for'],
  ['invalid_scope', 'the server does not know the scopes that were asked for'],
  ['temporarily_unavailable', 'the server is overloaded or in maintenance: try again later'],
])

/** Maps an error of oauth4webapi. The messages of that library name no tokens. */
export function oauthFailure(error: unknown, what: string): AuthenticationError {
  if (error instanceof AuthenticationError) return error
  if (error instanceof ResponseBodyError || error instanceof AuthorizationResponseError) {
    const { error: code, error_description: description } = error
    const meaning = description ?? MEANINGS.get(code)
    const why = meaning === undefined ? code : `${meaning} (${code})`
    return new AuthenticationError(`${what}: ${remoteText(why)}`, { cause: code })
  }
  const { message } = error as Error
  return new AuthenticationError(`${what}: ${remoteText(message)}`)
}

/** Whether the authorization server refuses this refresh token or client for good. */
export function isRefused(error: unknown): boolean {
  return (
    error instanceof AuthenticationError &&
    ['invalid_grant', 'invalid_client', 'unauthorized_client'].includes(String(error.cause))
  )
}
