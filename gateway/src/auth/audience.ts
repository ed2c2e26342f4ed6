/** The canonical URI of this server, which tokens must be issued for. */
import { CLIENT_ORIGIN_HEADER } from 'ftl-contract'
import { addressOf, ConfigurationError } from 'ftl-http'
import type { Settings } from '../settings.ts'
import { canonicalUri, isLoopback, parsed } from './canonical-uri.ts'

const PATH = '/mcp'

/**
 * `auth_audience`, or the address of the request if a client cannot choose it: a loopback address, or a name in
 * `allowed_hosts`. Any other `Host` could make a token for another server valid here.
 *
 * @throws {ConfigurationError}
 */
export function audienceOf(
  request: Request,
  settings: Pick<Settings, 'authAudience' | 'allowedHosts'>,
): string {
  const { authAudience, allowedHosts } = settings
  if (authAudience !== '') return authAudience
  const url = clientAddress(request)
  if (isLoopback(url)) return `${url.origin}${PATH}`
  const isListed = allowedHosts.includes(url.host) || allowedHosts.includes(url.hostname)
  if (isListed) return `https://${url.host}${PATH}`
  throw new ConfigurationError(
    'auth_audience',
    'must be set to the address that clients use, such as https://gateway.example/mcp: it can be derived only for a loopback address or a host in allowed_hosts',
  )
}

/**
 * The chat answers at its own route, and sends the address that its client used. That is no more to be believed than the
 * client's own `Host`, and is checked like it.
 */
function clientAddress(request: Request): URL {
  const url = addressOf(request)
  if (!url.hostname.endsWith('.spin.internal')) return url
  const origin = canonicalUri(request.headers.get(CLIENT_ORIGIN_HEADER) ?? '')
  return (origin === undefined ? undefined : parsed(origin)) ?? url
}

/**
 * Address of the metadata: the well-known path is inserted before the path of the resource.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9728#section-3.1
 */
export function metadataUrl(audience: string): string {
  const [, origin = '', path = ''] = /^(https?:\/\/[^/?]+)(.*)$/.exec(audience) ?? []
  return `${origin}${METADATA_PATH}${path}`
}

export const METADATA_PATH = '/.well-known/oauth-protected-resource'
