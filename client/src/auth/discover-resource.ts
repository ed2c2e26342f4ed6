/** The metadata of the MCP server (RFC 9728): which authorization servers issue tokens for it. */
import { AuthenticationError, type Challenge } from '../errors.ts'
import { allowedAddress } from './addresses.ts'
import type { BoundedFetch } from './bounded-fetch.ts'
import { isScopes } from './challenge.ts'
import { isObject } from '../is-object.ts'
import { coversServer, resourceMetadataAddresses } from './metadata-addresses.ts'
import { remoteText } from './remote-text.ts'

const MOST_ISSUERS = 10

export interface ProtectedResource {
  /** For the parameter `resource` (RFC 8707), exactly as the server names it. */
  resource: string
  issuers: string[]
  /** Scopes the server names, separated by spaces. */
  scope?: string
}

/**
 * Finds the metadata by the challenge, else at the path form, else at the root form.
 *
 * @returns `undefined` when the server has none.
 * @throws {AuthenticationError}
 */
export async function discoverResource(
  server: URL,
  { resourceMetadata }: Challenge,
  fetch: BoundedFetch,
): Promise<ProtectedResource | undefined> {
  if (resourceMetadata !== undefined) {
    const address = ownAddress(resourceMetadata, server)
    const document = await metadataAt(address, fetch)
    if (!document) {
      throw new AuthenticationError(
        `${server.host} names metadata at ${address.pathname}, which does not exist`,
      )
    }
    return read(document, server)
  }
  for (const address of resourceMetadataAddresses(server)) {
    const document = await metadataAt(address, fetch)
    if (document) return read(document, server)
  }
  return undefined
}

/** Metadata elsewhere could name an authorization server that the server does not know. */
function ownAddress(address: string, server: URL): URL {
  const url = allowedAddress(address, server, 'resource_metadata of the server')
  if (url.origin === server.origin) return url
  throw new AuthenticationError(
    `the server names its metadata at ${url.origin}, which must be at ${server.origin}`,
  )
}

async function metadataAt(
  address: URL,
  fetch: BoundedFetch,
): Promise<Record<string, unknown> | undefined> {
  const response = await fetch(address, { headers: { accept: 'application/json' } })
  if (response.status !== 200) return undefined
  const document: unknown = await response.json().catch(() => undefined)
  if (isObject(document)) return document
  throw new AuthenticationError(`${address.href} is not a JSON object`)
}

function read(document: Record<string, unknown>, server: URL): ProtectedResource {
  const { resource, authorization_servers: issuers, scopes_supported: scopes } = document
  if (typeof resource !== 'string' || !coversServer(resource, server)) {
    const shown = typeof resource === 'string' ? remoteText(resource) : 'no address'
    throw new AuthenticationError(
      `the metadata of ${server.href} is for another server ("resource": ${shown}), so no token is requested`,
    )
  }
  const named = Array.isArray(issuers)
    ? issuers.filter((each) => typeof each === 'string').slice(0, MOST_ISSUERS)
    : []
  if (named.length === 0) {
    throw new AuthenticationError(`the metadata of ${server.href} names no authorization_servers`)
  }
  const scope = Array.isArray(scopes) ? scopes.join(' ') : undefined
  return { resource, issuers: named, ...(isScopes(scope) && { scope }) }
}
