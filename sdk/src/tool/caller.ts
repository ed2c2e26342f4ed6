/** The authenticated user or machine that a call is made for. */
import { CALLER_HEADER, PRINCIPAL_HEADER } from 'ftl-contract'
import { jsonIn } from './json-header.ts'

/** What the gateway has verified about the caller. */
export interface ToolCaller {
  /**
   * Unique name, to store data by: `{issuer}#{user}` for an access token, `key:{name}` for an API key, the user that a
   * trusted proxy names.
   */
  readonly id: string
  /** What the token or API key permits. @default none */
  readonly scopes: readonly string[]
  /** The authorization server that issued the token. @default no token */
  readonly issuer?: string
  /** The user's name at that server; unique only there. @default no token */
  readonly user?: string
  /** The client that the token was issued to. @default unknown */
  readonly client?: string
}

/** @param headers of the internal request. @returns `undefined` where no authentication is configured. */
export function callerOf(headers: Headers): ToolCaller | undefined {
  const id = headers.get(PRINCIPAL_HEADER)
  return id === null ? undefined : { scopes: [], ...jsonIn(headers, CALLER_HEADER), id }
}
