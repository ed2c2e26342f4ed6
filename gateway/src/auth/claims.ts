/**
 * Checks the claims of an access token.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9068
 * @see https://www.rfc-editor.org/rfc/rfc8707
 */
import { SCOPE } from './api-keys.ts'
import { isArrayOf, isObject, isString, memberOf } from 'ftl-contract'
import type { Caller } from '../caller.ts'
import { canonicalUri } from './canonical-uri.ts'
import { InvalidToken } from './invalid-token.ts'
import { type Jwt, type Members, stringOf } from './jwt.ts'

export interface Expected {
  issuer: string
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

/** Access tokens, and tokens that do not say what they are. An ID token or a logout token is neither. */
const TYPES = ['jwt', 'at+jwt', 'application/at+jwt']

const SUBJECT_LIMIT = 256
const SCOPES_LIMIT = 200

/** @throws {InvalidToken} */
export function checkHeader({ header }: Jwt): void {
  // An extension that must be understood, and none is.
  if (Object.hasOwn(header, 'crit') || Object.hasOwn(header, 'b64')) {
    throw new InvalidToken('The token requires an extension that is not supported')
  }
  const type = memberOf(header, 'typ')
  if (type !== undefined && !(isString(type) && TYPES.includes(type.toLowerCase()))) {
    throw new InvalidToken('The token is not an access token (typ)')
  }
}

/** @throws {InvalidToken} */
export function checkClaims({ claims }: Jwt, expected: Expected): Verdict {
  const { issuer, now, leewayMs } = expected
  if (stringOf(claims, 'iss') !== issuer)
    throw new InvalidToken('The issuer is not the expected one')
  if (!isFor(memberOf(claims, 'aud'), expected.resources)) {
    throw new InvalidToken('The token was not issued for this server (aud)')
  }
  const second = Math.floor(now / 1000)
  const leeway = leewayMs / 1000
  const exp = timeOf(claims, 'exp')
  if (exp === undefined) throw new InvalidToken('The token has no expiry (exp)')
  if (exp <= second - leeway) throw new InvalidToken('The token has expired')
  if ((timeOf(claims, 'nbf') ?? 0) > second + leeway) {
    throw new InvalidToken('The token is not valid yet (nbf)')
  }
  if ((timeOf(claims, 'iat') ?? 0) > second + leeway) {
    throw new InvalidToken('The token was issued in the future (iat)')
  }
  // A token that is bound to a key of its client is stolen if another client sends it, and we cannot check which it is.
  if (memberOf(claims, 'cnf') !== undefined) {
    throw new InvalidToken('The token is bound to a key (cnf), which is not supported')
  }
  const expires = Math.min((exp + leeway) * 1000, Number.MAX_SAFE_INTEGER)
  return { caller: { ...callerOf(claims, expected), expires }, expires }
}

function callerOf(claims: Members, { issuer, groupsClaim }: Expected): Caller {
  const subject = stringOf(claims, 'sub')
  if (subject === undefined || subject === '' || subject.length > SUBJECT_LIMIT) {
    throw new InvalidToken(`The token must name a user (sub) of 1 to ${SUBJECT_LIMIT} characters`)
  }
  const client = stringOf(claims, 'client_id') ?? stringOf(claims, 'azp')
  const id = stringOf(claims, 'jti')
  return {
    // A name is unique only at its issuer.
    principal: `${issuer}#${encoded(subject)}`,
    scopes: scopesOf(claims),
    ...(groupsClaim !== undefined && { groups: groupsOf(claims, groupsClaim) }),
    issuer,
    subject,
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

function isFor(audience: unknown, resources: readonly string[]): boolean {
  const list = isString(audience) ? [audience] : audience
  return (
    isArrayOf(list, isString) && list.some((one) => resources.includes(canonicalUri(one) ?? ''))
  )
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
 * @throws {InvalidToken} for a claim of another form: a rule that denies by group must not be avoided by it.
 */
function groupsOf(claims: Members, name: string): string[] {
  const value = memberOf(claims, name) ?? name.split('.').reduce<unknown>(inside, claims)
  if (value === undefined || value === null) return []
  if (isString(value)) return [value]
  if (isArrayOf(value, isString)) return [...new Set(value)]
  throw new InvalidToken('The claim of the groups must be a string or a list of strings')
}

function inside(value: unknown, name: string): unknown {
  return isObject(value) ? memberOf(value, name) : undefined
}
