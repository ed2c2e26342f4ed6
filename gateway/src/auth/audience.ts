/** The canonical URI of this server, which tokens must be issued for. */
import { CLIENT_ORIGIN_HEADER } from 'ftl-contract'
import {
  addressOf,
  ConfigurationError,
  isFromComponent,
  isLoopback,
  ownAddress,
  urlIn,
} from 'ftl-http'
import type { Settings } from '../settings.ts'
import { canonicalUri } from './canonical-uri.ts'

const PATH = '/mcp'

/** Endpoint of one component. Names with other characters have the metadata of the whole server. */
const COMPONENT_PATH = /^\/mcp(\/x\/[a-z0-9][a-z0-9-]{0,127})$/

/**
 * `auth_audience`, or the address of the request if a client cannot choose it: a loopback address that a program on this
 * machine used, or a name in `allowed_hosts`. Any other `Host` could make a token for another server valid here.
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
  if (url && isLoopback(url)) return `${url.origin}${PATH}`
  if (url && [url.host, url.hostname].some((name) => allowedHosts.includes(name))) {
    return `https://${url.host}${PATH}`
  }
  throw new ConfigurationError(
    'auth_audience',
    'must be set to the address that clients use, such as https://gateway.example/mcp: it can be derived only for a host in allowed_hosts, and for programs on this machine',
  )
}

/**
 * The identifiers that a token for this request may have in `aud`: that of the endpoint, and for the endpoint of one
 * component also that of the whole server, the first being the more exact one. A token for one component opens no
 * other.
 *
 * @throws {ConfigurationError}
 */
export function resourcesOf(
  request: Request,
  settings: Pick<Settings, 'authAudience' | 'allowedHosts'>,
): readonly [string, ...string[]] {
  const server = audienceOf(request, settings)
  const component = componentResource(server, addressOf(request).pathname)
  return component === undefined ? [server] : [component, server]
}

/** @param pathname of the endpoint. @returns `undefined` for any other path, and for a server with another address. */
export function componentResource(server: string, pathname: string): string | undefined {
  const [, path] = COMPONENT_PATH.exec(pathname) ?? []
  return path !== undefined && server.endsWith(PATH) ? server + path : undefined
}

/**
 * The chat answers at its own route, and sends the address that its client used. Whether that client is on this machine,
 * the chat has checked.
 */
function clientAddress(request: Request): URL | undefined {
  if (!isFromComponent(request)) return ownAddress(request)
  const origin = canonicalUri(request.headers.get(CLIENT_ORIGIN_HEADER) ?? '')
  return origin === undefined ? undefined : urlIn(origin)
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
