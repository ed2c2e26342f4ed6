/** The stored token of a server, for programs that `ftl` starts. */
import { AuthenticationError } from 'ftl-client'
import { authorizedFetch, mayHaveToken, StoredTokens, TokenStore } from 'ftl-client/auth'
import { CommandFailure } from '../terminal/failure.ts'
import { commandClient } from './client.ts'
import { offerSignIn, signInHint } from './offer-sign-in.ts'

/**
 * The header of the token, after one request that shows whether the server accepts it; empty where the server requires
 * none.
 *
 * @throws {CommandFailure} when the server requires sign-in and the user does not sign in.
 */
export async function storedTokenHeader(url: string): Promise<Record<string, string>> {
  if (!mayHaveToken(url)) return {}
  const server = new URL(url)
  const client = await commandClient()
  const tokens = new StoredTokens(server, { store: new TokenStore(), client })
  const request = authorizedFetch(server, tokens)
  try {
    await probe(request, server)
  } catch (error) {
    if (!(error instanceof AuthenticationError)) throw error
    const lines = [error.message, signInHint(error) ?? '']
    if (!(await offerSignIn(error))) throw new CommandFailure(lines.join('\n').trim())
  }
  const token = await tokens.current()
  return token === undefined ? {} : { authorization: `Bearer ${token}` }
}

async function probe(request: typeof fetch, server: URL): Promise<void> {
  const headers = { accept: 'application/json, text/event-stream' }
  const signal = AbortSignal.timeout(15_000)
  const response = await request(server, { headers, redirect: 'manual', signal })
  await response.body?.cancel()
}
