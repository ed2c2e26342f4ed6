/**
 * Finds the keys of an authorization server by its metadata.
 *
 * @see https://www.rfc-editor.org/rfc/rfc8414#section-3
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization#authorization-server-metadata-discovery
 */
import { isObject, isString } from 'ftl-contract'
import { isLoopback } from 'ftl-http'
import type { Scope } from '../scope.ts'
import { fetchJson } from './fetch-json.ts'
import { safeUrl } from './issuers.ts'

/** In the order of the specification. @param issuer a valid URL. */
export function metadataUrls(issuer: string): string[] {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/$/, '')
  const known = `${origin}/.well-known`
  const urls = [
    `${known}/oauth-authorization-server${path}`,
    `${known}/openid-configuration${path}`,
  ]
  return path === '' ? urls : [...urls, `${origin}${path}/.well-known/openid-configuration`]
}

/** @throws {Error} if there is no usable metadata. The message is for the log. */
export async function findJwksUri(scope: Scope, issuer: string): Promise<string> {
  for (const url of metadataUrls(issuer)) {
    const metadata = await fetchJson(scope, url)
    if (metadata === undefined) continue
    // Otherwise one server of a host could answer for another.
    if (!isObject(metadata) || metadata.issuer !== issuer) {
      throw new Error(`${url} does not name the issuer ${issuer}`)
    }
    const { jwks_uri: uri } = metadata
    if (!isString(uri) || !mayHaveKeys(uri, issuer)) {
      throw new Error(
        `${url} names no usable jwks_uri: it must be an https address of a public host`,
      )
    }
    return uri
  }
  throw new Error(`${issuer} has no metadata at ${metadataUrls(issuer).join(', ')}`)
}

const INSIDE = /^(\[.*\]|[\d.]+|.*\.(internal|local|localhost)|[^.]+)$/

/** Metadata must not lead to an address inside the network, except on the issuer's own host. */
function mayHaveKeys(uri: string, issuer: string): boolean {
  const url = safeUrl(uri)
  if (!url) return false
  const own = new URL(issuer)
  if (url.host === own.host) return true
  return url.protocol === 'https:' && !isLoopback(url) && !INSIDE.test(url.hostname)
}
