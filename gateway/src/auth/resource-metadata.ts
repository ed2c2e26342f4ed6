/**
 * `GET /.well-known/oauth-protected-resource`: which authorization servers this server accepts.
 *
 * Served at the root and with the path of the resource behind it, for clients that know only one of the two. The
 * endpoint of one component is a resource of its own, whether there is such a component or not: this names none.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9728
 */
import { addressOf, failure, json, methodNotAllowed } from 'ftl-http'
import type { Settings } from '../settings.ts'
import { advertisedScopes } from './challenge.ts'
import { audienceOf, componentResource, METADATA_PATH, metadataUrl } from './audience.ts'
import { dpopMetadata } from './dpop.ts'
import { SERVER_INFO } from '../server-info.ts'

/** Set by `ftl build` for an application that does not pass `auth_dpop` to its gateway. */
declare const BUILT_WITHOUT_DPOP: true | undefined

/**
 * @returns `undefined` for every other path.
 * @throws {ConfigurationError}
 */
export function resourceMetadata(request: Request, settings: Settings): Response | undefined {
  const { pathname } = addressOf(request)
  if (!pathname.startsWith(METADATA_PATH)) return undefined
  const servers = settings.authIssuers.list.map(({ issuer }) => issuer)
  if (servers.length === 0) return notFound()
  const resource = resourceAt(pathname, audienceOf(request, settings))
  if (resource === undefined) return notFound()
  if (!['GET', 'HEAD'].includes(request.method)) return methodNotAllowed('GET, HEAD')
  const scopes = advertisedScopes(settings)
  const metadata = {
    resource,
    authorization_servers: servers,
    bearer_methods_supported: ['header'],
    ...(scopes.length > 0 && { scopes_supported: scopes }),
    resource_name: SERVER_INFO.title ?? SERVER_INFO.name,
  }
  if (typeof BUILT_WITHOUT_DPOP === 'undefined') Object.assign(metadata, dpopMetadata(settings))
  const response = json(200, metadata, { 'cache-control': 'no-cache' })
  return request.method === 'HEAD' ? new Response(null, response) : response
}

/** @param server canonical URI of the whole server. */
function resourceAt(pathname: string, server: string): string | undefined {
  const own = new URL(metadataUrl(server)).pathname
  if (pathname === METADATA_PATH || pathname === own) return server
  // Behind a proxy the server's path can be longer than ours.
  const isBelow = own.endsWith('/mcp') && pathname.startsWith(`${own}/`)
  return isBelow ? componentResource(server, `/mcp${pathname.slice(own.length)}`) : undefined
}

function notFound(): Response {
  return failure(404, 'not_found', 'There is no metadata of a protected resource at this path.')
}
