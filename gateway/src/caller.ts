/** An authenticated caller. */

export interface Caller {
  /**
   * Unique name in printable ASCII: `{issuer}#{user}` for a token, `key:{name}` for an API key, the user for a trusted
   * proxy. It owns the jobs that it starts.
   */
  principal: string
  /** @default none */
  scopes?: readonly string[]
  /** Of the claim that `auth_groups_claim` names; only if a rule of the policy names groups. @default none */
  groups?: readonly string[]
  /** Of the token. */
  issuer?: string
  /** The user's name at the issuer. */
  subject?: string
  /** The name that people know the user by, which another user may have, too. */
  name?: string
  /** The client the token was issued to. */
  client?: string
  /** It only has a link to one job, whose owner it need not know. */
  byLink?: true
  /** Thumbprint of the key that its token is bound to, whose proof each request needs. */
  jkt?: string
  /** `jti` of the token. */
  tokenId?: string
  /** SHA-256 of the token or key, in hexadecimal. */
  digest?: string
  /** When its token expires, in milliseconds since the epoch. @default never */
  expires?: number
}
