/** The metadata of the authorization server (RFC 8414, OpenID Connect Discovery). */
import { type AuthorizationServer, processDiscoveryResponse } from 'oauth4webapi'
import { AuthenticationError } from '../errors.ts'
import { allowedAddress } from './addresses.ts'
import type { BoundedFetch } from './bounded-fetch.ts'
import { issuerMetadataAddresses } from './metadata-addresses.ts'
import { remoteText } from './remote-text.ts'

/**
 * Requests the metadata in the order of the MCP specification. Its `issuer` must be the requested one.
 *
 * @throws {AuthenticationError}
 */
export async function discoverIssuer(
  named: string,
  server: URL,
  fetch: BoundedFetch,
): Promise<AuthorizationServer> {
  const issuer = allowedAddress(named, server, 'the authorization server')
  if (issuer.search !== '' || issuer.hash !== '') {
    throw new AuthenticationError(`an issuer has no query and no fragment: ${remoteText(named)}`)
  }
  for (const address of issuerMetadataAddresses(issuer)) {
    const response = await fetch(address, { headers: { accept: 'application/json' } })
    if (response.status !== 200) continue
    return checked(await processDiscoveryResponse(issuer, response).catch(mismatch), server)
  }
  throw new AuthenticationError(`the authorization server ${issuer.href} has no metadata`)

  function mismatch(error: unknown): never {
    const { cause } = Object(error) as { cause?: { body?: { issuer?: unknown } } }
    const other = cause?.body?.issuer
    throw new AuthenticationError(
      typeof other === 'string'
        ? `the metadata of ${issuer.href} is that of another issuer: ${remoteText(other)}`
        : `the metadata of ${issuer.href} is not valid`,
      { cause: error },
    )
  }
}

const ENDPOINTS = [
  'authorization_endpoint',
  'token_endpoint',
  'registration_endpoint',
  'revocation_endpoint',
] as const

/** One that is not a list counts as not given. */
const LISTS = [
  'scopes_supported',
  'code_challenge_methods_supported',
  'token_endpoint_auth_methods_supported',
  'token_endpoint_auth_signing_alg_values_supported',
] as const
/** Keycloak names 30 methods and algorithms; some servers name hundreds of scopes. */
const LONGEST_LIST = 5000

function checked(metadata: AuthorizationServer, server: URL): AuthorizationServer {
  for (const name of ENDPOINTS) {
    const address: unknown = metadata[name]
    if (address === undefined) continue
    const what = `"${name}" of ${remoteText(metadata.issuer)}`
    if (typeof address !== 'string') throw new AuthenticationError(`${what} is not a string`)
    allowedAddress(address, server, what)
  }
  for (const name of LISTS) {
    const list: unknown = metadata[name]
    if (list === undefined || (Array.isArray(list) && list.length <= LONGEST_LIST)) continue
    delete metadata[name]
  }
  if (metadata.token_endpoint === undefined) {
    throw new AuthenticationError(`the metadata of ${metadata.issuer} has no "token_endpoint"`)
  }
  return metadata
}
