/**
 * Checks that a token is for this server: by its audience (`aud`), and by its client where the operator names the clients.
 * Which audiences are this server's: `audience.ts`.
 *
 * @see https://www.rfc-editor.org/rfc/rfc8707
 */
import { isArrayOf, isString, memberOf } from 'ftl-contract'
import { canonicalUri } from './canonical-uri.ts'
import { invalid, mismatch } from './invalid-token.ts'
import type { Issuer } from './issuers.ts'
import { type Members, stringOf } from './jwt.ts'

/**
 * @param expected.resources canonical URIs, of which the token must be for one.
 * @throws {InvalidToken}
 */
export function checkAudience(
  claims: Members,
  expected: { issuer: Issuer; resources: readonly string[] },
): void {
  const { issuer, resources } = expected
  const { audiences, clients } = issuer
  const audience = memberOf(claims, 'aud')
  const list = isString(audience) ? [audience] : (audience ?? [])
  const isWithout = clients !== undefined && isArrayOf(list, isString) && list.length === 0
  const isForUs =
    isArrayOf(list, isString) &&
    list.some((one) => audiences?.includes(one) ?? resources.includes(canonicalUri(one) ?? ''))
  if (!isForUs && (audiences !== undefined || !isWithout)) {
    const setting = audiences ? 'audiences of auth_issuers' : 'auth_audience'
    throw invalid(
      'was not issued for this server (aud)',
      mismatch('aud', audience, setting, audiences ?? resources),
    )
  }
  const client = clientOf(claims)
  if (clients && !clients.includes(client ?? '')) {
    throw invalid(
      'was issued to a client that is not accepted',
      mismatch('its client', client, 'clients of auth_issuers', clients),
    )
  }
}

/** Of RFC 9068, of OpenID, of Okta, and of Entra v1. */
export function clientOf(claims: Members): string | undefined {
  const [client] = ['client_id', 'azp', 'cid', 'appid'].flatMap(
    (name) => stringOf(claims, name) ?? [],
  )
  return client
}
