/**
 * Reads the user of a request from the header of a trusted proxy (`trust_forwarded_user`).
 *
 * With a trusted proxy, a request without a user is refused, not served as anonymous: otherwise a proxy that omits the
 * header for one path would open every job without an owner to every client.
 */
import { ConfigurationError, isFromComponent } from 'ftl-http'
import { isEqual } from './api-keys.ts'
import type { Caller } from '../caller.ts'
import type { Settings } from '../settings.ts'
import { refuse } from '../access/mcp-access.ts'

const USER_HEADER = 'x-forwarded-user'
const SECRET_HEADER = 'x-forwarded-user-secret'

/** A user's name is printable ASCII. A comma is refused, because a header that was sent twice arrives as a list. */
const USER = /^[!-+\--~]([ -+\--~]{0,254}[!-+\--~])?$/

/** How callers by API key and by token are named. */
const OTHER_NAMES = /^(key:|https?:\/\/)/i

/** Whether the request has one of the headers that only the proxy sends. */
export function namesForwarded({ headers }: Request): boolean {
  return headers.has(USER_HEADER) || headers.has(SECRET_HEADER)
}

/**
 * @returns the user, or an error response if a header is missing or invalid.
 * @throws {ConfigurationError} when there is no secret to compare with.
 */
export function forwardedUser(
  request: Request,
  settings: Pick<Settings, 'forwardedUser' | 'forwardedUserSecret' | 'hostChecksForwarded'>,
): Caller | Response {
  const { headers } = request
  const user = headers.get(USER_HEADER)
  // Another component is not a proxy. It may forward a user if the host checks that this is the client's user, or if it
  // has the secret, which the proxy sends to components with a public route, such as the chat.
  if (
    settings.forwardedUser.trust === 'without-secret' &&
    isFromComponent(request) &&
    !settings.hostChecksForwarded
  ) {
    const message = `This host does not check ${USER_HEADER} between components. Set trust_forwarded_user = true and forwarded_user_secret, call the gateway through the proxy, or run the application with ftl.`
    return refuse(request, 403, 'forbidden', message)
  }
  if (
    settings.forwardedUser.trust === 'true' &&
    !hasSecret(headers, settings.forwardedUserSecret)
  ) {
    const message = `The header ${SECRET_HEADER} is missing or wrong. The proxy in front must send the value of forwarded_user_secret in every request.`
    return refuse(request, 401, 'proxy_secret_missing', message)
  }
  if (user === null || user === '') {
    const message = `The header ${USER_HEADER} is missing. The gateway's variable trust_forwarded_user is set, so the proxy in front must send it in every request.`
    return refuse(request, 401, 'user_missing', message)
  }
  if (USER.test(user) && !OTHER_NAMES.test(user)) return { principal: user }
  const message = `The header ${USER_HEADER} must name one user: 1 to 256 characters of ASCII, without commas, and not beginning with key: or http.`
  return refuse(request, 400, 'bad_user', message)
}

function hasSecret(headers: Headers, expected: string): boolean {
  if (expected !== '') return isEqual(expected, headers.get(SECRET_HEADER) ?? '')
  throw new ConfigurationError(
    'forwarded_user_secret',
    'must be set: without it any program that reaches the gateway can name any user. If only the proxy can reach it, set trust_forwarded_user = without-secret',
  )
}
