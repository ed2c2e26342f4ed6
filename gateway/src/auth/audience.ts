/** The canonical URI of this server, which tokens must be issued for. */
import { addressOf, ConfigurationError } from 'ftl-http'
import type { Settings } from '../settings.ts'
import { isLoopback } from './canonical-uri.ts'

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
  const url = addressOf(request)
  if (isLoopback(url)) return `${url.origin}${PATH}`
  const isListed = allowedHosts.includes(url.host) || allowedHosts.includes(url.hostname)
  if (isListed) return `https://${url.host}${PATH}`
  throw new ConfigurationError(
    'auth_audience',
    'must be set to the address that clients use, such as https://gateway.example/mcp: it can be derived only for a loopback address or a host in allowed_hosts',
  )
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
