import { AuthorizationResponseError, ResponseBodyError } from 'oauth4webapi'
import { AuthenticationError } from '../errors.ts'
import { remoteText } from './remote-text.ts'

/** Maps an error of oauth4webapi. The messages of that library name no tokens. */
export function oauthFailure(error: unknown, what: string): AuthenticationError {
  if (error instanceof AuthenticationError) return error
  if (error instanceof ResponseBodyError || error instanceof AuthorizationResponseError) {
    const { error: code, error_description: description } = error
    const why = description === undefined ? code : `${description} (${code})`
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
