/**
 * Checks the claims of an access token.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9068
 */
import { SCOPE } from './api-keys.ts'
import { isArrayOf, isObject, isString, memberOf } from 'ftl-contract'
import type { Caller } from '../caller.ts'
import { checkKind } from './access-token.ts'
import { checkAudience, clientOf } from './check-audience.ts'
import { thumbprintIn } from './dpop.ts'
import { invalid, InvalidToken, mismatch } from './invalid-token.ts'
import type { Issuer } from './issuers.ts'
import { type Jwt, type Members, stringOf } from './jwt.ts'

/** Set by `ftl build` for an application that does not pass `auth_dpop` to its gateway. */
declare const BUILT_WITHOUT_DPOP: true | undefined

export interface Expected {
  issuer: Issuer
  /** Canonical URIs, of which the token must be for one. */
  resources: readonly string[]
  /** Milliseconds since the epoch. */
  now: number
  /** Milliseconds by which clocks may differ. */
  leewayMs: number
  /** Claim that names the groups of the user. @default they are not read */
  groupsClaim?: string | undefined
}

/** A verified caller, and until when: milliseconds since the epoch. */
export interface Verdict {
  caller: Caller
  expires: number
}

const SUBJECT_LIMIT = 256
const SCOPES_LIMIT = 200

/** @throws {InvalidToken} */
export function checkClaims(jwt: Pick<Jwt, 'header' | 'claims'>, expected: Expected): Verdict {
  const { claims } = jwt
  const { issuer, now, leewayMs } = expected
  if (stringOf(claims, 'iss') !== issuer.issuer)
    throw new InvalidToken('The issuer is not the expected one')
  checkKind(jwt, issuer)
  checkAudience(claims, expected)
  const second = Math.floor(now / 1000)
  const leeway = leewayMs / 1000
  const exp = timeOf(claims, 'exp')
  if (exp === undefined) throw invalid('has no expiry (exp)')
  if (exp <= second - leeway) {
    throw invalid('has expired', `exp was ${second - exp} s ago (auth_leeway_ms)`)
  }
  if ((timeOf(claims, 'nbf') ?? 0) > second + leeway) {
    throw invalid('is not valid yet (nbf)')
  }
  if ((timeOf(claims, 'iat') ?? 0) > second + leeway) {
    throw invalid('was issued in the future (iat)')
  }
  // A token that is bound to a key of its client is stolen if another client sends it. Without DPoP we cannot check which it is.
  const cnf = memberOf(claims, 'cnf')
  if (
    cnf !== undefined &&
    !(typeof BUILT_WITHOUT_DPOP === 'undefined' && thumbprintIn(cnf) !== undefined)
  ) {
    throw invalid('is bound to a key (cnf), which is not supported')
  }
  const expires = Math.min((exp + leeway) * 1000, Number.MAX_SAFE_INTEGER)
  const verdict: Verdict = { caller: { ...callerOf(claims, expected), expires }, expires }
  if (typeof BUILT_WITHOUT_DPOP === 'undefined') {
    const jkt = thumbprintIn(cnf)
    if (jkt !== undefined) verdict.caller.jkt = jkt
  }
  return verdict
}

function callerOf(
  claims: Members,
  { issuer: { issuer, nameClaim }, groupsClaim }: Expected,
): Caller {
  const subject = stringOf(claims, 'sub')
  if (subject === undefined || subject === '' || subject.length > SUBJECT_LIMIT) {
    throw invalid(
      `must name a user (sub) of 1 to ${SUBJECT_LIMIT} characters`,
      mismatch('sub', memberOf(claims, 'sub'), 'auth_issuers'),
    )
  }
  const client = clientOf(claims)
  const name = stringOf(claims, nameClaim)
  const id = stringOf(claims, 'jti')
  return {
    // A name is unique only at its issuer.
    principal: `${issuer}#${encoded(subject)}`,
    scopes: scopesOf(claims),
    ...(groupsClaim !== undefined && { groups: groupsOf(claims, groupsClaim) }),
    issuer,
    subject,
    ...(name && name.length <= SUBJECT_LIMIT && { name }),
    ...(client !== undefined && client.length <= SUBJECT_LIMIT && { client }),
    ...(id !== undefined && id.length <= SUBJECT_LIMIT && { tokenId: id }),
  }
}

/** In printable ASCII, and still one text for each name. */
function encoded(subject: string): string {
  try {
    return encodeURIComponent(subject).replaceAll('%40', '@')
  } catch {
    throw new InvalidToken('The name of the user (sub) is not valid Unicode')
  }
}

/** Seconds since the epoch. @throws {InvalidToken} */
function timeOf(claims: Members, name: string): number | undefined {
  const value = memberOf(claims, name)
  if (value === undefined) return undefined
  if (typeof value === 'number' && Number.isFinite(value)) return value
  throw new InvalidToken(`The claim ${name} must be a number of seconds`)
}

/** `scope` of the specification, or `scp`, which some issuers use. */
function scopesOf(claims: Members): string[] {
  const value = memberOf(claims, 'scope') ?? memberOf(claims, 'scp') ?? ''
  const list = isString(value) ? value.split(' ') : isArrayOf(value, isString) ? value : []
  return [...new Set(list.filter((scope) => SCOPE.test(scope)))].slice(0, SCOPES_LIMIT)
}

/**
 * The claim of this name, else one inside other claims.
 *
 * @throws {InvalidToken} for a claim of another form, or one that is elsewhere: a rule that denies by group must not be avoided by it.
 */
function groupsOf(claims: Members, name: string): string[] {
  const value = memberOf(claims, name) ?? name.split('.').reduce<unknown>(inside, claims)
  if (value === undefined || value === null) {
    if (!areElsewhere(claims, name)) return []
    throw new InvalidToken('The user is in too many groups: the token does not name them')
  }
  if (isString(value)) return [value]
  if (isArrayOf(value, isString)) return [...new Set(value)]
  throw new InvalidToken(
    'The claim of the groups must be a string or a list of strings',
    mismatch(name, value, 'auth_groups_claim'),
  )
}

/**
 * Whether the issuer left the groups out, because they are too many. Microsoft Entra does this for more than 200.
 *
 * @see https://openid.net/specs/openid-connect-core-1_0.html#AggregatedDistributedClaims
 */
function areElsewhere(claims: Members, name: string): boolean {
  return (
    inside(memberOf(claims, '_claim_names'), name) !== undefined ||
    (name === 'groups' && String(memberOf(claims, 'hasgroups')) === 'true')
  )
}

function inside(value: unknown, name: string): unknown {
  return isObject(value) ? memberOf(value, name) : undefined
}
