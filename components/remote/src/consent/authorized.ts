/** Requests to a server with the token of the caller. */
import { ToolError } from 'ftl-sdk'
import type { Remotes } from '../catalog.ts'
import type { RemoteServer } from '../servers.ts'
import { exchangedFor } from '../exchange/exchanged-tokens.ts'
import { type ExchangeServer, isExchangeServer } from '../exchange/settings.ts'
import { ownerOf } from '../session-owner.ts'
import type { ConsentServer, Consents } from './consents.ts'
import { tokenFor } from './tokens.ts'

export interface Authorized {
  token: string
  /** With the token in its headers, which keeps it out of answers: `redact.ts`. */
  server: RemoteServer
}

/**
 * @param refusedToken a token that the server has just refused.
 * @throws {SignInNeeded} and {ToolError}
 */
export async function authorized(
  remotes: Remotes,
  server: ConsentServer | ExchangeServer,
  waitMs: number,
  refusedToken?: string,
): Promise<Authorized> {
  const token = isExchangeServer(server)
    ? await exchangedFor(remotes, server, waitMs, refusedToken)
    : await consentedToken(remotes, server, waitMs, refusedToken)
  return withToken(server, token)
}

async function consentedToken(
  remotes: Remotes,
  server: ConsentServer,
  waitMs: number,
  refused: string | undefined,
): Promise<string> {
  const { consents, principal } = callerOf(remotes, server)
  return tokenFor(consents, server, principal, {
    waitMs,
    ...(refused !== undefined && { refused }),
  })
}

export function withToken(server: RemoteServer, token: string): Authorized {
  const others = Object.entries(server.headers).filter(
    ([name]) => name.toLowerCase() !== 'authorization',
  )
  const headers = { ...Object.fromEntries(others), authorization: `Bearer ${token}` }
  return { token, server: { ...server, headers } }
}

/** Who calls. @throws {ToolError} for an anonymous caller: tokens belong to a user. */
export function callerOf(
  { consents, context: { principal } }: Remotes,
  { name }: RemoteServer,
): { consents: Consents; principal: string } {
  if (!consents) throw new ToolError(`The server "${name}" is not configured for sign-in.`)
  if (principal === undefined) {
    throw new ToolError(
      `The server "${name}" uses each user's own account, and this gateway does not know its callers. Its operator must ` +
        'configure authentication.',
      { kind: 'anonymous', server: name },
    )
  }
  return { consents, principal }
}

/** A session with the server belongs to the account that began it: another sign-in begins another one. */
export async function endSession(
  { store, digest, context }: Remotes,
  { name }: RemoteServer,
): Promise<void> {
  await store.forgetConnection({ server: name, digest, owner: await ownerOf(context) })
}
