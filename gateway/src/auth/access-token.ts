/**
 * Tells access tokens from the others that an issuer signs with the same keys, above all from ID tokens, which are for
 * the client alone.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9068#section-4
 * @see https://www.rfc-editor.org/rfc/rfc8725#section-3.12
 */
import { isString, memberOf } from 'ftl-contract'
import { invalid, type InvalidToken, mismatch } from './invalid-token.ts'
import type { Issuer } from './issuers.ts'
import { type Jwt, stringOf } from './jwt.ts'

/** Access tokens, and tokens that do not say what they are. An ID token or a logout token is neither. */
const TYPES = ['jwt', 'at+jwt', 'application/at+jwt']

/** @throws {InvalidToken} */
export function checkHeader({ header }: Jwt): void {
  // An extension that must be understood, and none is.
  if (Object.hasOwn(header, 'crit') || Object.hasOwn(header, 'b64')) {
    throw invalid('requires an extension that is not supported')
  }
  const type = memberOf(header, 'typ')
  if (type !== undefined && !(isString(type) && TYPES.includes(type.toLowerCase()))) {
    throw notAccess('typ', type)
  }
}

/** Keycloak says in `typ` what a token is, Cognito in `token_use`, others in `token_type`. */
const KIND_CLAIMS = ['typ', 'token_use', 'token_type']
const OTHER_KINDS = /^(serialized-)?(id|refresh|offline|logout)([ _-]?token)?$/i
const ACCESS_KINDS = /^(access([ _-]?token)?|bearer|dpop)$/i

/** Of ID tokens (OpenID Connect Core, sections 2 and 3.3.2.11) and logout tokens. Some issuers put the others into access tokens, too. */
const NEVER = ['c_hash', 'events']
const ID_CLAIMS = ['nonce', 'at_hash', 's_hash']

/** @throws {InvalidToken} for a token of another kind, as far as its claims say so. */
export function checkKind(
  { header, claims }: Pick<Jwt, 'header' | 'claims'>,
  { likeIdTokens }: Issuer,
): void {
  const kinds = KIND_CLAIMS.map((name) => [name, stringOf(claims, name) ?? ''] as const)
  for (const [name, kind] of kinds) if (OTHER_KINDS.test(kind)) throw notAccess(name, kind)
  const isNamed =
    /at\+jwt$/i.test(stringOf(header, 'typ') ?? '') ||
    kinds.some(([, kind]) => ACCESS_KINDS.test(kind))
  if (isNamed) return
  const found = [...NEVER, ...(likeIdTokens ? [] : ID_CLAIMS)].find(
    (name) => memberOf(claims, name) !== undefined,
  )
  if (found !== undefined) throw notAccess(found)
}

function notAccess(name: string, value?: unknown): InvalidToken {
  return invalid(
    `is not an access token (${name})`,
    value === undefined
      ? `if access tokens of this issuer have ${name}, set like_id_tokens (auth_issuers)`
      : mismatch(name, value, 'an access token is needed'),
  )
}
