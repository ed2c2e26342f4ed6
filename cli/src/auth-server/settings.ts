/** The settings of an application whose users sign in at its own component `auth`. */
import { randomBytes } from 'node:crypto'
import { entriesText } from './permitted.ts'

/** Where the gateway gets the keys: from the component, without a way through the network. */
const KEYS = 'http://auth.spin.internal/auth/keys'

export interface UpstreamSettings {
  /** Value of `auth_upstream`. */
  upstream: string
  clientId: string
  secret: string
  /** Entries of `auth_upstream_users`. */
  permitted: readonly string[]
}

/**
 * @param origin address that clients use, without a path.
 * @param users entry of a user with a pass phrase, or the server whose users sign in.
 */
export function settingsFor(
  origin: string,
  users: { user?: object; upstream?: UpstreamSettings },
): Map<string, string> {
  const { user, upstream } = users
  return new Map([
    ['auth_server_url', origin],
    ['auth_server_key', newSecret()],
    ...(user ? ([['auth_users', JSON.stringify([user])]] as const) : []),
    ...(upstream ? upstreamSettings(upstream) : []),
    ['auth_issuers', JSON.stringify([{ issuer: origin, jwks_uri: KEYS }])],
    ['auth_audience', `${origin}/mcp`],
    ['allowed_hosts', new URL(origin).host],
    ['policy', 'signed-in'],
    // Spin has one store for all components, and the gateway refuses to keep verdicts there without a seal.
    ['request_state_key', newSecret()],
  ])
}

const newSecret = () => randomBytes(32).toString('base64url')

function upstreamSettings(settings: UpstreamSettings): [string, string][] {
  const { upstream, clientId, secret, permitted } = settings
  return [
    ['auth_upstream', upstream],
    ['auth_upstream_client_id', clientId],
    ['auth_upstream_client_secret', secret],
    ['auth_upstream_users', entriesText(permitted)],
  ]
}
