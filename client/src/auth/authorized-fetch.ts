import { AuthenticationError, type Challenge } from '../errors.ts'
import { challengeOf, refusedToken, scopeUnion } from './challenge.ts'
import type { TokenSource } from './token-source.ts'

/**
 * A `fetch` that sends the token to the server's own origin, and renews it once when the server refuses it. A request
 * is sent at most twice.
 *
 * @throws {AuthenticationError} with `signIn` when the user must sign in.
 */
export function authorizedFetch(
  server: URL,
  source: TokenSource,
  fetch: typeof globalThis.fetch = globalThis.fetch,
): typeof globalThis.fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    if (url.origin !== server.origin) return fetch(input, init)
    const token = await source.current()
    const first = await fetch(input, withToken(init, token))
    const refusal = await refusalOf(first)
    if (!refusal) return first
    await first.body?.cancel()
    const renewed = await source.renew(token, refusal.challenge)
    const held = await source.scope()
    if (renewed === undefined) throw failure(server, refusal, token !== undefined, held)
    const second = await fetch(input, withToken(init, renewed))
    const again = await refusalOf(second)
    if (!again) return second
    await second.body?.cancel()
    throw failure(server, again, true, held)
  }
}

/** An answer that a token was not enough. */
interface Refusal {
  status: 401 | 403
  challenge: Challenge
}

/** A 403 for another reason than scopes is an answer like any other. */
export async function refusalOf(response: Response): Promise<Refusal | undefined> {
  const { status } = response
  if (status !== 401 && status !== 403) return undefined
  const challenge = await challengeOf(response)
  if (status === 403 && challenge.error !== 'insufficient_scope') return undefined
  return { status, challenge }
}

function withToken(init: RequestInit | undefined, token: string | undefined): RequestInit {
  const headers = new Headers(init?.headers)
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
  return { ...init, headers }
}

function failure(
  server: URL,
  { status, challenge }: Refusal,
  hadToken: boolean,
  held: string | undefined,
): AuthenticationError {
  if (status === 403) {
    const scope = scopeUnion(held, challenge.scope)
    const signIn = {
      server: server.href,
      challenge: { ...challenge, ...(scope !== undefined && { scope }) },
    }
    const scopes = challenge.scope === undefined ? 'more scopes' : `the scopes ${challenge.scope}`
    return new AuthenticationError(`${server.host} requires ${scopes}`, { signIn })
  }
  const signIn = { server: server.href, challenge }
  return new AuthenticationError(
    hadToken
      ? `${refusedToken(server.host, challenge)}${challenge.description === undefined ? ': s' : '. S'}ign in again`
      : `${server.host} requires sign-in`,
    { signIn },
  )
}
