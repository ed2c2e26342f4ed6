/** The variables of the component. */
import {
  type AccessLists,
  accessVariables,
  defineSettings,
  isLoopback,
  type Parse,
  urlIn,
} from 'ftl-http'
import { type Entry, parsePermitted } from './upstream/permitted.ts'
import { parseUpstream, type Upstream } from './upstream/upstream.ts'
import { parseUsers, type LocalUser } from './users/local-users.ts'

/** @throws {ConfigurationError} by every member, when its variable is unusable. */
export interface Settings extends AccessLists {
  /** `auth_server_url`: the issuer, which is an origin. */
  readonly issuer: string
  /** `auth_server_key`: what everything is sealed with. */
  readonly key: string
  /** `auth_users`: users with a pass phrase. @default none */
  readonly users: readonly LocalUser[]
  /** `auth_audience`: the server that tokens are for. @default `/mcp` of the issuer */
  readonly audience: string
  /** `auth_scopes`: scopes that each token has. */
  readonly scopes: readonly string[]
  /** `auth_server_scopes`: further scopes that clients may ask for. */
  readonly moreScopes: readonly string[]
  /** `auth_upstream`: the server whose users sign in here. @default none */
  readonly upstream: Upstream | undefined
  /** `auth_upstream_client_id`: this server as a client there. */
  readonly upstreamClientId: string
  /** `auth_upstream_client_secret`. @default a client without a secret */
  readonly upstreamSecret: string
  /** `auth_upstream_users`: which of its users may sign in. @default none */
  readonly permitted: readonly Entry[]
  /** `auth_upstream_scopes`: what is asked for there. @default by the kind of the server */
  readonly upstreamScopes: readonly string[]
  /** `auth_upstream_groups_claim`: names the groups of a user; one inside another one with a dot. @default 'groups' */
  readonly groupsClaim: string
  /** `auth_client_hosts`: hosts that clients may send their users back to. @default all */
  readonly clientHosts: readonly string[]
}

const LEAST_KEY = 32
const MOST_SCOPES = 50

const url: Parse<string> = (text, refuse) => {
  const parsed = urlIn(text)
  if (parsed && parsed.origin === text && (parsed.protocol === 'https:' || isLoopback(parsed))) {
    return text
  }
  return refuse(
    'must be the address of this server without a path, such as https://gateway.example (http only on this machine)',
  )
}

const scopes: Parse<readonly string[]> = (text, refuse) => {
  const words = text.split(/[\s,]+/).filter((word) => word !== '')
  if (words.length > MOST_SCOPES) return refuse(`may have at most ${MOST_SCOPES} scopes`)
  if (words.every((word) => /^[\x21\x23-\x5b\x5d-\x7e]{1,128}$/.test(word))) return words
  return refuse('must be scopes, separated by spaces, without quotes')
}

const hosts: Parse<readonly string[]> = (text, refuse) => {
  const entries = text
    .toLowerCase()
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  if (entries.every((entry) => /^(\*\.)?[a-z0-9._-]+$|^[a-z][a-z0-9+.-]*:$/.test(entry)))
    return entries
  return refuse('must be hosts such as claude.ai or schemes such as cursor:, separated by commas')
}

const plain: Parse<string> = (text, refuse) =>
  /^[\x21-\x7e]{0,1000}$/.test(text) ? text : refuse('must have no white space or special letters')

export const createSettings = /* @__PURE__ */ defineSettings<Settings>({
  ...accessVariables,
  issuer: ['auth_server_url', url],
  key: [
    'auth_server_key',
    (text, refuse) =>
      text.length >= LEAST_KEY
        ? text
        : refuse(`must have at least ${LEAST_KEY} characters; "ftl auth init" makes one`),
  ],
  users: ['auth_users', parseUsers],
  audience: [
    'auth_audience',
    (text, refuse) => {
      const parsed = text === '' ? undefined : urlIn(text)
      if (text === '' || (parsed && /^https?:$/.test(parsed.protocol) && parsed.hash === ''))
        return text
      return refuse('must be the http or https address of the gateway')
    },
  ],
  scopes: ['auth_scopes', scopes],
  moreScopes: ['auth_server_scopes', scopes],
  clientHosts: ['auth_client_hosts', hosts],
  upstream: ['auth_upstream', parseUpstream],
  upstreamClientId: ['auth_upstream_client_id', plain],
  upstreamSecret: ['auth_upstream_client_secret', plain],
  permitted: ['auth_upstream_users', parsePermitted],
  upstreamScopes: ['auth_upstream_scopes', scopes],
  groupsClaim: ['auth_upstream_groups_claim', (text, refuse) => plain(text || 'groups', refuse)],
})

/** What tokens are for. */
export function audienceOf({ audience, issuer }: Settings): string {
  return audience === '' ? `${issuer}/mcp` : audience
}
