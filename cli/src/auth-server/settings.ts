/** The settings of an application whose users sign in at its own component `auth`. */
import { randomBytes } from 'node:crypto'

/** Where the gateway gets the keys: from the component, without a way through the network. */
const KEYS = 'http://auth.spin.internal/auth/keys'

/** @param origin address that clients use, without a path. @param user entry of a user. */
export function settingsFor(origin: string, user: object): Map<string, string> {
  return new Map([
    ['auth_server_url', origin],
    ['auth_server_key', randomBytes(32).toString('base64url')],
    ['auth_users', JSON.stringify([user])],
    ['auth_issuers', JSON.stringify([{ issuer: origin, jwks_uri: KEYS }])],
    ['auth_audience', `${origin}/mcp`],
    ['allowed_hosts', new URL(origin).host],
    ['policy', 'signed-in'],
  ])
}
