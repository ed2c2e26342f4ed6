/** The token of one user for one server: renewed before it ends, and forgotten when it is refused. */
import {
  AuthenticationError,
  isRefused,
  revokeTokens,
  type Tokens,
  tokensForRefresh,
} from 'ftl-client/server-side'
import { pause } from 'ftl-contract'
import { ToolError } from 'ftl-sdk'
import {
  clientSettings,
  type ConsentServer,
  type Consents,
  fetchFor,
  ownerOf,
  secretsOfClient,
} from './consents.ts'
import type { Found, Owner } from './entries.ts'
import type { Grant } from './flow.ts'

/** The user has to sign in at the server. */
export class SignInNeeded extends Error {
  override readonly name = 'SignInNeeded'
}

/** A token that ends sooner is renewed: it has to be valid until the server has read it. */
const MARGIN_MS = 30_000
/** Milliseconds of one renewal; then another call may try. */
const LEASE_MS = 20_000
const POLL_MS = 100
/** Before a refusal counts: another call may have used the refresh token, and be about to write its successor. */
const SECOND_LOOK_MS = 500

type Kept = Grant & {
  /** One of several calls renews the tokens: many authorization servers revoke all of them if two calls do. */
  renewingUntil?: number
}

/**
 * @param refused a token that the server has just refused: it is not returned again.
 * @param waitMs how long to wait for a renewal by another call.
 * @throws {SignInNeeded} and {ToolError}
 */
export async function tokenFor(
  consents: Consents,
  server: ConsentServer,
  principal: string,
  { refused, waitMs }: { refused?: string; waitMs: number },
): Promise<string> {
  const { entries, platform } = consents
  const owner = ownerOf(server, principal)
  const end = platform.now() + waitMs
  for (;;) {
    const found = await entries.get<Kept>('grant', owner)
    if (!found) throw new SignInNeeded()
    const { tokens, renewingUntil = 0 } = found.value
    const now = platform.now()
    const { accessToken, expiresAt = Infinity, refreshToken } = tokens
    const isRefusedNow = accessToken === refused
    if (!isRefusedNow && now + MARGIN_MS < expiresAt) return accessToken
    if (refreshToken === undefined) {
      if (!isRefusedNow && now < expiresAt) return accessToken
      // A server that refuses it may have a fault of its own, such as no keys to check it with.
      if (now >= expiresAt) await entries.remove('grant', owner)
      throw new SignInNeeded()
    }
    const isFree = now >= renewingUntil
    if (isFree && (await take(consents, owner, found))) {
      const work = renew(consents, server, owner, found.value, { refreshToken, refused })
      // A renewal that is broken off would lose the new refresh token, and with it the sign-in.
      platform.waitUntil(work.catch(() => undefined))
      const renewed = await Promise.race([work, pause(Math.max(1, end - platform.now()))])
      if (renewed !== undefined) return renewed
    }
    if (platform.now() >= end) {
      throw new ToolError(`The sign-in at "${server.name}" is being renewed: try again.`)
    }
    await pause(POLL_MS)
  }
}

/** Whether this call renews. Without a store that compares, two calls that begin within milliseconds may. */
async function take(
  { entries, platform }: Consents,
  owner: Owner,
  { value, bytes }: Found<Kept>,
): Promise<boolean> {
  const renewingUntil = platform.now() + LEASE_MS
  const lease = { ...value, renewingUntil }
  const taken = await entries.replace('grant', owner, bytes, lease)
  if (taken === undefined) await entries.put('grant', owner, lease)
  return taken !== false
}

async function renew(
  consents: Consents,
  server: ConsentServer,
  owner: Owner,
  kept: Kept,
  { refreshToken, refused }: { refreshToken: string; refused: string | undefined },
): Promise<string> {
  const { entries } = consents
  const { renewingUntil: _, ...grant } = kept
  const request = requestFor(consents, server, grant)
  let tokens: Tokens
  try {
    tokens = await tokensForRefresh(request, refreshToken)
  } catch (error) {
    if (isRefused(error)) await pause(SECOND_LOOK_MS)
    const other = (await entries.get<Kept>('grant', owner))?.value
    if (!other) throw new SignInNeeded()
    if (other.tokens.accessToken !== grant.tokens.accessToken) return other.tokens.accessToken
    if (isRefused(error)) {
      await entries.remove('grant', owner)
      throw new SignInNeeded()
    }
    await entries.put('grant', owner, grant)
    const { accessToken, expiresAt = Infinity } = grant.tokens
    if (accessToken !== refused && consents.platform.now() < expiresAt) return accessToken
    // Dex and Ory Hydra refuse a refresh token with `invalid_request`. It may also be a wrong setting, so the sign-in is kept.
    if (error instanceof AuthenticationError && error.cause === 'invalid_request')
      throw new SignInNeeded()
    const why = error instanceof AuthenticationError ? `: ${error.message}` : ''
    throw new ToolError(
      `The sign-in at "${server.name}" cannot be renewed now${why}. Try again later. If it stays so, sign in again: call sign_in ` +
        `with {"server": "${server.name}"}.`,
    )
  }
  // The user may have signed out while the authorization server answered.
  if (!(await entries.get('grant', owner))) {
    await revokeTokens(request, tokens).catch(() => undefined)
    throw new SignInNeeded()
  }
  await entries.put('grant', owner, { ...grant, tokens })
  return tokens.accessToken
}

function requestFor(
  consents: Consents,
  server: ConsentServer,
  { as, client, resource, scope, tokens }: Grant,
) {
  const settings = clientSettings(consents, server)
  const { accessToken, refreshToken = '' } = tokens
  const secrets = [accessToken, refreshToken, ...secretsOfClient(client, settings)]
  return { as, client, settings, resource, scope, fetch: fetchFor(consents, server, secrets) }
}

export type SignedOut = 'none' | 'revoked' | 'partly' | 'unsupported' | 'failed'

/** Forgets the user's tokens, and revokes them at the authorization server. */
export async function signOut(
  consents: Consents,
  server: ConsentServer,
  principal: string,
): Promise<SignedOut> {
  const { entries } = consents
  const owner = ownerOf(server, principal)
  const found = await entries.get<Kept>('grant', owner)
  // First of all, because the authorization server may be down.
  for (const kind of ['grant', 'pending', 'flow'] as const) await entries.remove(kind, owner)
  if (!found) return 'none'
  try {
    return await revokeTokens(requestFor(consents, server, found.value), found.value.tokens)
  } catch {
    return 'failed'
  }
}
