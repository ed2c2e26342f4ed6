/** From a token to its caller: the signature, and every claim. */
import { memberOf } from 'ftl-contract'
import type { Scope } from '../scope.ts'
import { checkHeader } from './access-token.ts'
import { checkClaims, type Verdict } from './claims.ts'
import { InvalidToken, mismatch } from './invalid-token.ts'
import { keysOf } from './issuer-keys.ts'
import { type Algorithm, fits, isSignedBy, type PublicJwk } from './jwk.ts'
import { decodeJwt, type Jwt, stringOf } from './jwt.ts'

/**
 * @param resources canonical URIs, of which the token must be for one.
 * @throws {InvalidToken} {@link KeysUnavailable} {ConfigurationError}
 */
export async function verifyToken(
  scope: Scope,
  token: string,
  resources: readonly string[],
): Promise<Verdict> {
  const { settings, platform } = scope
  const jwt = decodeJwt(token)
  checkHeader(jwt)
  const algorithm = algorithmOf(jwt, settings.authAlgorithms)
  const named = stringOf(jwt.claims, 'iss')
  const issuer = settings.authIssuers.list.find((one) => one.issuer === named)
  if (!issuer) {
    const known = settings.authIssuers.list.map((one) => one.issuer)
    throw new InvalidToken(
      'The issuer of the token is not trusted',
      mismatch('iss', named, 'auth_issuers', known),
    )
  }
  const expected = {
    issuer,
    resources,
    now: platform.now(),
    leewayMs: settings.authLeewayMs,
    // Read only if something asks for groups.
    groupsClaim: scope.hooks.needsGroups(scope) ? settings.authGroupsClaim : undefined,
  }
  // Before the signature: an expired token costs no verification and no request for keys.
  const verdict = checkClaims(jwt, expected)
  const candidates = (keys: readonly PublicJwk[]) => keysFor(jwt, algorithm, keys)
  const keys = await keysOf(scope, issuer, (known) => candidates(known).length > 0)
  const [key, second] = candidates(keys)
  if (!key) {
    const kids = keys.map(({ kid }) => kid)
    throw new InvalidToken(
      'The key of the token is not known',
      mismatch('kid', memberOf(jwt.header, 'kid'), `alg ${algorithm}`, kids),
    )
  }
  // Two keys of one name: which one signed must not be a matter of order.
  if (second) throw new InvalidToken('The key of the token is not unique')
  if (!(await isSignedBy(key, algorithm, jwt.signature, jwt.signed))) {
    throw new InvalidToken('The signature of the token is not valid')
  }
  return verdict
}

/** Of the allow-list: the header of a token must never choose what it is checked by. */
function algorithmOf({ header }: Jwt, allowed: readonly Algorithm[]): Algorithm {
  const named = memberOf(header, 'alg')
  const algorithm = allowed.find((one) => one === named)
  if (!algorithm) {
    throw new InvalidToken(
      'The algorithm of the token is not allowed',
      mismatch('alg', named, 'auth_algorithms', allowed),
    )
  }
  return algorithm
}

function keysFor(
  { header }: Jwt,
  algorithm: Algorithm,
  keys: readonly PublicJwk[],
): readonly PublicJwk[] {
  const kid = memberOf(header, 'kid')
  return keys.filter((key) => fits(key, algorithm) && (kid === undefined || key.kid === kid))
}
