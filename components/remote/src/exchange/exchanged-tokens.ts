/**
 * The token of the caller, exchanged for one of a server.
 *
 * Threat: a token that is kept for one user or one set of rights must not serve another. So each is sealed for its user, and
 * kept together with a digest of the caller's token: another token of the same user, which may permit less, is exchanged again.
 *
 * @see https://www.rfc-editor.org/rfc/rfc8693
 */
import {
  AuthenticationError,
  type Tokens,
  tokensForMachine,
  tokensForToken,
} from 'ftl-client/server-side'
import { DeadlineExceeded, sha256, withDeadline } from 'ftl-http'
import { ToolError } from 'ftl-sdk'
import type { Remotes } from '../catalog.ts'
import { fetchFor, ownerOf, type Vault } from '../consent/consents.ts'
import { callerTokenOf } from './caller-token.ts'
import { type Metadata, requested } from './issuer-metadata.ts'
import type { ExchangeServer } from './settings.ts'

/** A token that ends sooner is not used: it has to be valid until the server has read it. */
const MARGIN_MS = 30_000
/** Milliseconds for which a token is kept whose end is not known. */
const UNKNOWN_MS = 300_000
/** The caller may have lost rights meanwhile, which the authorization server learns at the next exchange. */
const LONGEST_MS = 3_600_000
/** Of the tokens with which lists are requested: they are the client's own. */
const NO_USER = ''
/** Characters. Few servers read headers of more than 16 KB. */
const LONGEST_TOKEN = 32 * 1024

interface Kept {
  /** Of the settings, and of the token that was exchanged. */
  digest: string
  accessToken: string
  until: number
}

/**
 * @param waitMs what is left of the call. What comes later is kept for the next one.
 * @param refused a token that the server has just refused: it is not returned again.
 * @throws {ToolError}
 */
export async function exchangedFor(
  remotes: Remotes,
  server: ExchangeServer,
  waitMs: number,
  refused?: string,
): Promise<string> {
  const { vault, context } = remotes
  const { name, auth } = server
  const subject = callerTokenOf(context)
  if (!vault || context.principal === undefined || subject === undefined) {
    throw new ToolError(
      `The server "${name}" needs the access token of the caller, which this call does not have. Call it as a user who has ` +
        `signed in with OAuth. The gateway's variable caller_token_components must name this component.`,
      { kind: 'no_caller_token', server: name },
    )
  }
  try {
    const wanted = {
      principal: context.principal,
      digest: await sha256(JSON.stringify([auth, subject])),
      refused,
      subject,
      request: (as: Metadata) =>
        tokensForToken(requestTo(vault, server, as, [subject]), subject, auth.audience),
    }
    return await inTime(vault, server, waitMs, wanted)
  } catch (error) {
    if (!(error instanceof AuthenticationError)) throw error
    throw new ToolError(
      `The token of the caller was not exchanged for "${name}": ${error.message}`,
      {
        kind: 'not_exchanged',
        server: name,
      },
    )
  }
}

/** A token of the client itself, for lists. @throws {AuthenticationError} */
export async function ownTokenFor(
  vault: Vault,
  server: ExchangeServer,
  waitMs: number,
): Promise<string> {
  return inTime(vault, server, waitMs, {
    principal: NO_USER,
    digest: await sha256(JSON.stringify([server.auth])),
    request: (as) => tokensForMachine(requestTo(vault, server, as, [])),
  })
}

/** The server has refused it. */
export function forgetOwnToken({ entries }: Vault, server: ExchangeServer): Promise<void> {
  return entries.remove('exchanged', ownerOf(server, NO_USER))
}

interface Wanted {
  principal: string
  digest: string
  refused?: string | undefined
  /** The token that is exchanged. */
  subject?: string
  request: (as: Metadata) => Promise<Tokens>
}

/** @throws {AuthenticationError} also if the authorization server needs longer. */
async function inTime(
  vault: Vault,
  server: ExchangeServer,
  waitMs: number,
  wanted: Wanted,
): Promise<string> {
  const work = kept(vault, server, wanted)
  vault.platform.waitUntil(work.catch(() => undefined))
  try {
    return await withDeadline(waitMs, () => work)
  } catch (error) {
    if (!(error instanceof DeadlineExceeded)) throw error
    throw new AuthenticationError(`${server.auth.issuer} gave no token within ${waitMs} ms`)
  }
}

async function kept(
  vault: Vault,
  server: ExchangeServer,
  { principal, digest, refused, subject, request }: Wanted,
): Promise<string> {
  const { entries, platform } = vault
  const owner = ownerOf(server, principal)
  const found = (await entries.get<Kept>('exchanged', owner))?.value
  const isUsable = found?.digest === digest && platform.now() < found.until
  if (isUsable && found.accessToken !== refused) return found.accessToken
  const { accessToken, expiresAt } = await requested(vault, server, request)
  if (accessToken === subject) {
    // The server would get a token that is good for this gateway.
    throw new AuthenticationError(`${server.auth.issuer} gave the same token back`)
  }
  if (accessToken.length > LONGEST_TOKEN) {
    throw new AuthenticationError(`${server.auth.issuer} gave a token that is too large`)
  }
  const now = platform.now()
  const end = expiresAt === undefined ? now + UNKNOWN_MS : expiresAt - MARGIN_MS
  const until = Math.min(end, now + LONGEST_MS)
  if (until > now) await entries.put('exchanged', owner, { digest, accessToken, until })
  return accessToken
}

function requestTo(
  vault: Vault,
  { url, auth }: ExchangeServer,
  as: Metadata,
  secrets: readonly string[],
) {
  const { issuer, clientId: id, clientSecret: secret, scope } = auth
  const resource = new URL(url)
  resource.hash = ''
  // RFC 8707 advises against a query, and here it may have a key of the server.
  resource.search = ''
  return {
    as,
    client: { id, isConfidential: true },
    settings: { id, secret, issuer },
    resource: resource.href,
    scope,
    // Some authorization servers repeat what they were sent.
    fetch: fetchFor(vault, { url: issuer }, [...secrets, secret]),
  }
}
