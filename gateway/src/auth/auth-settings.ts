/** The variables of authentication, each read when it is first used. */
import { isString } from 'ftl-contract'
import type { Refuse, SettingVariables } from 'ftl-http'
import { key, milliseconds, oneOf } from '../setting-values.ts'
import { apiKeys, type ApiKey } from './api-keys.ts'
import { canonicalUri } from './canonical-uri.ts'
import { type Issuer, issuers, listOf } from './issuers.ts'
import { type Algorithm, ALGORITHMS } from './jwk.ts'

/** A list, and the text it was read from. */
export interface Listed<T> {
  text: string
  /** Parsed when it is first asked for. @throws {ConfigurationError} */
  readonly list: readonly T[]
}

/** Whether the header of a proxy names the user, and how the proxy shows that it is the proxy. */
export type TrustForwarded = 'false' | 'true' | 'without-secret'

/** Value of `trust_forwarded_user`. */
export interface ForwardedSetting {
  trust: TrustForwarded
  /**
   * Whether the manifest sets a policy, so that a gateway without authentication need not read another variable to find
   * out. @default undefined, the manifest does not say it here
   */
  hasPolicy?: boolean
}

/** @throws {ConfigurationError} by every member, when its variable is unusable. */
export interface AuthSettings {
  /**
   * `auth_issuers`: authorization servers (OAuth 2.1), comma-separated addresses or a JSON array of addresses and
   * objects, see {@link Issuer}. Their access tokens are accepted, and every request needs one.
   *
   * @default none
   */
  readonly authIssuers: Listed<Issuer>
  /**
   * `auth_audience`: canonical URI of this server, which a token must be issued for. Without this check a token that a
   * client gave to another server could be used here.
   *
   * @default '', derived from the address of the request if it is listed in `allowed_hosts`, or a loopback address that a
   * program on this machine used
   */
  readonly authAudience: string
  /** `auth_algorithms`. @default all of {@link ALGORITHMS} */
  readonly authAlgorithms: readonly Algorithm[]
  /** `auth_leeway_ms`: milliseconds by which clocks may differ; at most 300000. @default 30000 */
  readonly authLeewayMs: number
  /** `auth_scopes`: scopes that every request needs. @default none */
  readonly authScopes: readonly string[]
  /**
   * `auth_deny`: refused although the token or key is valid: `sub:…`, `name:…`, `principal:…`, `client:…`, `jti:…` and
   * `token:{SHA-256 in hexadecimal}`, separated by commas or spaces, or a JSON array.
   *
   * @default none
   */
  readonly authDeny: ReadonlySet<string>
  /**
   * `auth_introspection`: JSON of `{ issuer, endpoint, client_id, client_secret }`, by which opaque tokens of that issuer
   * are accepted (RFC 7662). Read when such a token comes.
   *
   * @default none
   */
  readonly authIntrospection: string
  /** `api_keys`: JSON array of `{ sha256, principal, scopes? }`, as `ftl key new` prints it. @default none */
  readonly apiKeys: Listed<ApiKey>
  /**
   * `trust_forwarded_user`, and after a semicolon `policy=` with the text of the policy: the header `x-forwarded-user` names the user of a request, if the request also has the
   * secret of the proxy in front. `without-secret` is for a network in which only the proxy can reach the gateway, such
   * as one with mutual TLS: any other program there can impersonate any user.
   *
   * @default 'false'
   */
  readonly forwardedUser: ForwardedSetting
  /**
   * `forwarded_user_secret`: the proxy sends it in `x-forwarded-user-secret`; at least 16 characters.
   *
   * @default ''
   */
  readonly forwardedUserSecret: string
  /**
   * `auth_groups_claim`: the claim of a token that names the groups of its user; a claim inside another one with a dot,
   * such as `realm_access.roles`.
   *
   * @default 'groups'
   */
  readonly authGroupsClaim: string
}

declare module '../settings.ts' {
  interface Settings extends AuthSettings {}
}

const trust = oneOf<TrustForwarded>('false', 'true', 'without-secret')

function forwardedUser(text: string, refuse: Refuse): ForwardedSetting {
  const [, word = '', rest] = /^([^;]*)(?:;\s*(.*))?$/s.exec(text) ?? []
  const value = { trust: trust(word.trim(), refuse) }
  if (rest === undefined) return value
  if (!rest.startsWith('policy=')) refuse('may have only policy={{ policy }} after the semicolon')
  return { ...value, hasPolicy: rest.slice('policy='.length).trim() !== '' }
}

const LEEWAY_MS = 30_000
const LONGEST_LEEWAY_MS = 300_000

const CLAIM_LIMIT = 256

export const authVariables: SettingVariables<AuthSettings> = {
  // Pinned keys take a tenth of a millisecond, and a request whose token is known does not need them.
  authIssuers: ['auth_issuers', (text, refuse) => listed(text, () => issuers(text, refuse))],
  authAudience: ['auth_audience', audience],
  authAlgorithms: ['auth_algorithms', algorithms],
  authLeewayMs: ['auth_leeway_ms', leeway],
  authScopes: ['auth_scopes', scopes],
  authDeny: ['auth_deny', denied],
  authIntrospection: ['auth_introspection', (text) => text],
  apiKeys: ['api_keys', (text, refuse) => ({ text, list: apiKeys(text, refuse) })],
  forwardedUser: ['trust_forwarded_user', forwardedUser],
  forwardedUserSecret: ['forwarded_user_secret', key],
  authGroupsClaim: [
    'auth_groups_claim',
    (text, refuse) =>
      text.length <= CLAIM_LIMIT
        ? text || 'groups'
        : refuse(`must have at most ${CLAIM_LIMIT} characters`),
  ],
}

function listed<T>(text: string, parse: () => readonly T[]): Listed<T> {
  let list: readonly T[] | undefined
  return {
    text,
    get list() {
      return (list ??= parse())
    },
  }
}

function audience(text: string, refuse: Refuse): string {
  if (text === '') return ''
  return (
    canonicalUri(text) ??
    refuse('must be the http or https address of this server, without a fragment')
  )
}

function algorithms(text: string, refuse: Refuse): readonly Algorithm[] {
  const words = wordsIn(text)
  if (words.length === 0) return ALGORITHMS
  return words.map(
    (word) =>
      ALGORITHMS.find((algorithm) => algorithm === word) ??
      refuse(`names an algorithm that cannot be allowed; possible are ${ALGORITHMS.join(', ')}`),
  )
}

function leeway(text: string, refuse: Refuse): number {
  const value = milliseconds(LEEWAY_MS, 0)(text, refuse)
  return value <= LONGEST_LEEWAY_MS ? value : refuse(`must be at most ${LONGEST_LEEWAY_MS}`)
}

const SCOPE = /^[\x21\x23-\x2b\x2d-\x5b\x5d-\x7e]+$/

function scopes(text: string, refuse: Refuse): readonly string[] {
  const words = wordsIn(text)
  return words.every((word) => SCOPE.test(word))
    ? words
    : refuse('must be scopes, separated by spaces')
}

const DENIED = /^(sub|name|principal|client|jti):.+$|^token:[0-9a-f]{64}$/

function denied(text: string, refuse: Refuse): ReadonlySet<string> {
  const entries = listOf(text, /[\s,]+/, refuse)
  const words =
    'must name sub:…, name:…, principal:…, client:…, jti:… or token:… (SHA-256, 64 digits) in each entry'
  return new Set(
    entries.map((entry) => (isString(entry) && DENIED.test(entry) ? entry : refuse(words))),
  )
}

const wordsIn = (text: string) => text.split(/[\s,]+/).filter((word) => word !== '')
