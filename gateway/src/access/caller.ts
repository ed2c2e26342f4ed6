/**
 * Reads the user of a request from the header of a trusted proxy (`trust_forwarded_user`).
 *
 * With a trusted proxy, a request without a user is refused, not served as anonymous: otherwise a proxy that omits the
 * header for one path would open every job without an owner to every client.
 */
import { addressOf } from 'ftl-http'
import type { Settings } from '../settings.ts'
import { refuse } from './mcp-access.ts'

const USER_HEADER = 'x-forwarded-user'

/** A user's name is printable ASCII. A comma is refused, because a header that was sent twice arrives as a list. */
const USER = /^[!-+\--~]([ -+\--~]{0,254}[!-+\--~])?$/

// These describe the gateway and its use, and contain no data of any user.
const OPEN_PATHS = new Set(['/health', '/health/components', '/docs'])

/**
 * @returns the user, without `user` if no proxy is trusted or the path is open; or an error response if the header is
 * missing or invalid.
 * @throws {ConfigurationError} when `trust_forwarded_user` is unusable.
 */
export function callerOf(
  request: Request,
  settings: Pick<Settings, 'trustForwardedUser' | 'hostChecksForwarded'>,
): { user?: string } | Response {
  const { hostname, pathname } = addressOf(request)
  if (OPEN_PATHS.has(pathname) || !settings.trustForwardedUser) return {}
  const user = request.headers.get(USER_HEADER)
  // Another component is not a proxy. It may forward a user only if the host checks that this is the client's user.
  if (hostname.endsWith('.spin.internal') && !settings.hostChecksForwarded) {
    const message = `This host does not check ${USER_HEADER} between components, so with trust_forwarded_user a component cannot call the gateway. Call the gateway through the proxy, or run the application with ftl.`
    return refuse(request, 403, 'forbidden', message)
  }
  if (user === null || user === '') {
    const message = `The header ${USER_HEADER} is missing. The gateway's variable trust_forwarded_user is true, so the proxy in front must set it in every request.`
    return refuse(request, 401, 'user_missing', message)
  }
  if (USER.test(user)) return { user }
  const message = `The header ${USER_HEADER} must name one user: 1 to 256 characters of ASCII, without commas.`
  return refuse(request, 400, 'bad_user', message)
}
