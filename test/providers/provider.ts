/** What a test has to know about an authorization server, and how each of them is started. */

export interface Gateway {
  /** Its origin, which nothing serves yet. */
  url: string
  /** Address that clients use. */
  resource: string
}

export interface Provider {
  /** Of the gateway, as the page of the provider has them. */
  variables: Readonly<Record<string, string>>
  /** Of the component `auth`, as a client there. @default not tried */
  upstream?: Readonly<Record<string, string>>
  /** A client of the operator. @default clients register themselves */
  clientId?: string
  /** A client of the operator for official clients that cannot register themselves. @default {@link clientId} */
  officialClientId?: string
  /** Scopes that a user has to name to `ftl login`. @default none: the gateway's metadata has all */
  scope?: string
  /** A scope that a client gets if it asks for it. @default its tokens have no scopes that differ */
  furtherScope?: string
  /** Whether tokens name the groups of a user. */
  hasGroups: boolean
  /** Whether it can be asked to revoke a token. */
  revokes: boolean
  /** What becomes of a sign-in whose refresh token is used twice. */
  reuse: 'ends the sign-in' | 'is refused'
  /** Where it has no form for it: who signs in next. */
  become?(user: string): void
  close(): Promise<void>
}

export interface Driver {
  /** With its version, as in the title of a test. */
  name: string
  /** Where its program is. */
  find(): Promise<Found>
  /** @param folder what {@link find} has found. */
  start(folder: string, gateway: Gateway): Promise<Provider>
}

/** Of the component `auth` at a provider. */
export const UPSTREAM_SECRET = 'secret-of-the-component'

/** Variables of the component `auth`, whose users are those of the group. */
export const upstreamOf = (issuer: string) => ({
  auth_upstream: issuer,
  auth_upstream_client_id: 'gateway',
  auth_upstream_client_secret: UPSTREAM_SECRET,
  auth_upstream_users: `group:${GROUP}`,
  upstream_host: new URL(issuer).origin,
})

/** The path of a program or folder, or why there is none. */
export type Found = { path: string } | { missing: string }

/** In the group `operators`. */
export const ADA = 'ada'
/** In no group. */
export const EVE = 'eve'
/** The one whose digest Dex's example has: nothing here makes such digests. */
export const PASS_PHRASE = 'password'
export const GROUP = 'operators'
export const pageRedirect = ({ url }: Gateway) => `${url}/app/oauth/redirect`
