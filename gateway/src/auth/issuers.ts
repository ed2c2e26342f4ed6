/** `auth_issuers`: the authorization servers whose tokens are accepted, and what is expected of their tokens. */
import { isArrayOf, isObject, isString } from 'ftl-contract'
import { isLoopback, jsonIn, type Refuse, urlIn } from 'ftl-http'
import { canonicalUri } from './canonical-uri.ts'
import { ALGORITHMS, publicJwk, type PublicJwk } from './jwk.ts'
import type { Members } from './jwt.ts'

/** An authorization server whose tokens are accepted. */
export interface Issuer {
  /** Exactly as in `iss`. */
  issuer: string
  /** Address of its keys. @default found by its metadata */
  jwksUri?: string
  /** Its keys, pinned by hand: nothing is requested then. */
  keys?: readonly PublicJwk[]
  /** Its tokens have one of these in `aud`, for the whole server. @default the address of this server */
  audiences?: readonly string[]
  /**
   * Clients whose tokens are accepted. If it is set and `audiences` is not, a token may have no `aud`.
   *
   * @default all
   */
  clients?: readonly string[]
  /** Scopes that clients should request, and that no request needs. @default none */
  scopes?: readonly string[]
  /** Claim with the name that people know the user by. @default 'preferred_username' */
  nameClaim: string
  /** Its access tokens look like ID tokens. */
  likeIdTokens: boolean
}

const LISTS = ['audiences', 'clients', 'scopes_supported'] as const
const KNOWN: readonly string[] = [
  'issuer',
  'jwks_uri',
  'jwks',
  ...LISTS,
  'name_claim',
  'like_id_tokens',
]

/** Printable, without what would end a quoted parameter of a header. */
const WORD = /^[\x21\x23-\x5b\x5d-\x7e]{1,512}$/
const isWord = (value: unknown): value is string => isString(value) && WORD.test(value)

const ADDRESS = 'an https address (http only on this machine)'

export function issuers(text: string, refuse: Refuse): Issuer[] {
  const found = listOf(text, ',', refuse).map((entry, index) => {
    const at = `entry ${index + 1}`
    const members = isObject(entry) ? entry : { issuer: entry }
    // A list under a wrong name would have no effect, and the tokens that it is for would be refused.
    if (!Object.keys(members).every((name) => KNOWN.includes(name))) {
      refuse(`may have only ${KNOWN.join(', ')} in ${at}`)
    }
    return issuerIn(members, (what, name) => refuse(`needs ${what} in "${name}" of ${at}`))
  })
  if (new Set(found.map(({ issuer }) => issuer)).size < found.length) {
    refuse('names an issuer twice')
  }
  return found
}

function issuerIn(entry: Members, refuse: (what: string, name: string) => never): Issuer {
  const { issuer, jwks_uri: jwksUri, jwks, name_claim: nameClaim = 'preferred_username' } = entry
  const { like_id_tokens: likeIdTokens = false } = entry
  const url = isString(issuer) ? safeUrl(issuer) : undefined
  if (!isString(issuer) || !url || url.search !== '') {
    return refuse(`${ADDRESS}, without a query,`, 'issuer')
  }
  if (
    jwksUri !== undefined &&
    !(isString(jwksUri) && (safeUrl(jwksUri) || isOfComponent(jwksUri)))
  ) {
    return refuse(`${ADDRESS}, or http://{component}.spin.internal/…,`, 'jwks_uri')
  }
  const keys = jwks === undefined ? undefined : pinned(jwks)
  if (keys?.length === 0) {
    return refuse(
      `{ "keys": […] }, with at least one public key for ${ALGORITHMS.join(', ')},`,
      'jwks',
    )
  }
  const [audiences, clients, scopes] = LISTS.map((name) => {
    const list = entry[name]
    if (list === undefined || (isArrayOf(list, isWord) && list.length > 0)) return list
    return refuse('a list of strings, at least one, without spaces', name)
  })
  if (!isWord(nameClaim)) return refuse('the name of a claim', 'name_claim')
  if (typeof likeIdTokens !== 'boolean') return refuse('true or false', 'like_id_tokens')
  return {
    issuer,
    nameClaim,
    likeIdTokens,
    ...(isString(jwksUri) && { jwksUri }),
    ...(keys && { keys }),
    ...(audiences && { audiences }),
    ...(clients && { clients }),
    ...(scopes && { scopes }),
  }
}

function pinned(jwks: unknown): PublicJwk[] {
  const keys = isObject(jwks) && Array.isArray(jwks.keys) ? (jwks.keys as unknown[]) : []
  return keys.flatMap((key) => (isObject(key) ? (publicJwk(key as Members) ?? []) : []))
}

/** A component of this application. Only the operator can name it: metadata of an issuer cannot. */
export const isOfComponent = (uri: string): boolean =>
  /^http:\/\/[a-z][a-z0-9-]*\.spin\.internal\/[\w/.-]*$/.test(uri)

/** An address whose answers cannot be changed on the way: https, or this machine. */
export function safeUrl(text: string): URL | undefined {
  const url = canonicalUri(text) === undefined ? undefined : urlIn(text)
  return url && (url.protocol === 'https:' || isLoopback(url)) ? url : undefined
}

/** A JSON array, or a text with separators. */
export function listOf(text: string, separator: string | RegExp, refuse: Refuse): unknown[] {
  if (!text.startsWith('[')) {
    return text.split(separator).flatMap((entry) => entry.trim() || [])
  }
  const value = jsonIn(text)
  if (isArrayOf(value, (entry) => isString(entry) || isObject(entry))) return value
  return refuse('starts like a JSON array but is not a valid one')
}
