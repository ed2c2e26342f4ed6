/** Where servers describe themselves for a sign-in. Without a library, so that a page can look before it loads one. */

const RESOURCE = '/.well-known/oauth-protected-resource'

/**
 * Addresses of the metadata of an authorization server, in the order of the specification of MCP.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
 */
export function issuerMetadataAddresses(issuer: URL): URL[] {
  const path = issuer.pathname.replace(/\/+$/, '')
  return [
    `/.well-known/oauth-authorization-server${path}`,
    `/.well-known/openid-configuration${path}`,
    ...(path === '' ? [] : [`${path}/.well-known/openid-configuration`]),
  ].map((each) => new URL(each, issuer))
}

/**
 * Addresses of the metadata of an MCP server that names none: the path form, then the root form.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9728#section-3.1
 */
export function resourceMetadataAddresses(server: URL): URL[] {
  const path = server.pathname === '/' ? '' : server.pathname
  return [...new Set([RESOURCE + path + server.search, RESOURCE])].map(
    (each) => new URL(each, server),
  )
}

/**
 * Whether the resource is the server, or a path above it at the same origin.
 *
 * Threat: a server that names the resource of another one would get a token that is valid there.
 */
export function coversServer(resource: string, server: URL): boolean {
  if (!URL.canParse(resource)) return false
  const { origin, pathname, hash } = new URL(resource)
  if (origin !== server.origin || hash !== '') return false
  return `${server.pathname}/`.startsWith(`${pathname.replace(/\/+$/, '')}/`)
}
