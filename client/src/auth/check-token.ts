/** Asks the server whether it accepts a new token, before the sign-in counts as successful. */
import { AuthenticationError } from '../errors.ts'
import { refusalOf } from './authorized-fetch.ts'
import { refusedToken } from './challenge.ts'
import type { Prepared, PrepareOptions } from './find-authorization-server.ts'
import type { Tokens } from './token-requests.ts'

const PATIENCE_MS = 15_000

/**
 * An authorization server may give tokens that the server refuses, for example for another audience. Another sign-in
 * would give the same. A server that cannot be reached now does not take the sign-in away.
 *
 * @throws {AuthenticationError}
 */
export async function checkToken(
  { server, scope: asked = '', as: { issuer } }: Prepared,
  { accessToken, scope }: Tokens,
  { signal, fetch = globalThis.fetch }: Pick<PrepareOptions, 'signal' | 'fetch'>,
): Promise<void> {
  const limit = AbortSignal.any([AbortSignal.timeout(PATIENCE_MS), ...(signal ? [signal] : [])])
  const headers = {
    accept: 'application/json, text/event-stream',
    authorization: `Bearer ${accessToken}`,
  }
  const response = await fetch(server, { headers, redirect: 'manual', signal: limit }).catch(
    () => undefined,
  )
  const refusal = response && (await refusalOf(response))
  await response?.body?.cancel()
  if (!refusal) return
  const { status, challenge } = refusal
  // Scopes that were not asked for can be got by the next sign-in, when they are needed.
  const needed = challenge.scope?.split(' ') ?? []
  if (status === 403 && !needed.every((each) => asked.split(' ').includes(each))) return
  throw new AuthenticationError(
    status === 403
      ? `${server.host} requires the scopes ${challenge.scope ?? '(not named)'}, and ${issuer} gave a token with the scopes ${scope ?? '(not named)'}`
      : `${issuer} gave a token, but ${refusedToken(server.host, challenge)}. ` +
          'Another sign-in gives the same: the operator of the server finds the reason in its log',
  )
}
