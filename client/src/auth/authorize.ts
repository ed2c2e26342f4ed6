/** Authorization code with PKCE (OAuth 2.1): the user signs in with a browser, which returns to this machine. */
import {
  type AuthorizationServer,
  generateRandomCodeVerifier,
  generateRandomState,
  validateAuthResponse,
} from 'oauth4webapi'
import { AuthenticationError } from '../errors.ts'
import { scopeUnion } from './challenge.ts'
import type { ClientSettings, RegisteredClient } from './client-identity.ts'
import { authorizationAddress, hasPkce, OFFLINE, offersOffline } from './code-flow.ts'
import { receiveOnLoopback } from './loopback.ts'
import { oauthFailure } from './oauth-failure.ts'
import type { Prepared } from './find-authorization-server.ts'
import { clientFor } from './register.ts'
import { tokensForCode, type Tokens } from './token-requests.ts'
import { parseUrl } from './parse-url.ts'

/** Long enough to look up a password; then the port is closed. */
const PATIENCE_MS = 5 * 60_000

export interface AuthorizeOptions {
  client?: ClientSettings
  /** Port of the redirect on 127.0.0.1, for an authorization server that compares it. @default a free one */
  redirectPort?: number
  /** Further parameters of the authorization request, such as `audience` for servers without RFC 8707. @default none */
  parameters?: Readonly<Record<string, string>>
  signal?: AbortSignal
  /** Milliseconds that the user has. @default 300_000 */
  patienceMs?: number
  /** Shows the address where the user signs in, or opens it in a browser. */
  onAddress: (address: URL) => void
  /** The redirect address, where the user copies it from a browser on another machine. @default never */
  pasted?: (signal: AbortSignal) => Promise<string>
}

/** @throws {AuthenticationError} */
export async function authorize(
  { as, resource, scope: asked, fetch }: Prepared,
  options: AuthorizeOptions,
): Promise<{ client: RegisteredClient; tokens: Tokens }> {
  const endpoint = authorizationEndpoint(as)
  const { client: settings = {}, redirectPort, parameters } = options
  const scope = withRefresh(asked, as)
  const state = generateRandomState()
  const verifier = generateRandomCodeVerifier()
  const receiver = await receiveOnLoopback(state, redirectPort)
  try {
    const { redirectUri } = receiver
    const client = await clientFor(as, settings, { redirectUri, scope }, fetch)
    const scopes = scope?.split(' ') ?? []
    const wanted = {
      clientId: client.id,
      redirectUri,
      resource,
      scopes,
      state,
      verifier,
      ...(parameters && { parameters }),
    }
    const address = await authorizationAddress(endpoint, wanted)
    const answer = await answerOf(address, receiver.answer, options)
    const validated = validAnswer(as, client, answer, state)
    const code = { parameters: validated, redirectUri, verifier }
    const request = { as, client, settings, resource, scope, fetch }
    return { client, tokens: await tokensForCode(request, code) }
  } finally {
    await receiver.close()
  }
}

/** @throws {AuthenticationError} */
function authorizationEndpoint(as: AuthorizationServer): URL {
  if (as.authorization_endpoint === undefined) {
    throw new AuthenticationError(`${as.issuer} has no "authorization_endpoint" to sign in at`)
  }
  if (!hasPkce(as)) {
    throw new AuthenticationError(
      `${as.issuer} does not advertise PKCE with S256, which MCP requires: no sign-in is started`,
    )
  }
  return new URL(as.authorization_endpoint)
}

/** Asks for a refresh token where the authorization server has a scope for it, also where no other scope is asked for. */
function withRefresh(scope: string | undefined, as: AuthorizationServer): string | undefined {
  return offersOffline(as) ? scopeUnion(scope, OFFLINE) : scope
}

async function answerOf(
  address: URL,
  answer: Promise<URLSearchParams>,
  { signal, patienceMs = PATIENCE_MS, onAddress, pasted }: AuthorizeOptions,
): Promise<URLSearchParams> {
  const over = new AbortController()
  const timer = setTimeout(
    () =>
      over.abort(
        new AuthenticationError(
          `the sign-in was not completed within ${Math.ceil(patienceMs / 1000)} s: start it again`,
        ),
      ),
    patienceMs,
  )
  const limit = AbortSignal.any([over.signal, ...(signal ? [signal] : [])])
  const end = new AbortController()
  const ended = new Promise<never>((_, reject) => {
    const fail = () => reject(limit.reason as Error)
    if (limit.aborted) fail()
    else limit.addEventListener('abort', fail, { once: true })
  })
  ended.catch(() => undefined)
  try {
    limit.throwIfAborted()
    onAddress(address)
    const copied = pasted?.(end.signal).then(parametersOf)
    // The other source may have answered first.
    copied?.catch(() => undefined)
    return await Promise.race([answer, ended, ...(copied ? [copied] : [])])
  } finally {
    clearTimeout(timer)
    end.abort()
  }
}

function parametersOf(text: string): URLSearchParams {
  const url = parseUrl(text.trim())
  if (url?.searchParams.has('state')) return url.searchParams
  throw new AuthenticationError(
    'that is not the address that the browser ended at: it begins with http://127.0.0.1 and has "state"',
  )
}

/** Checks `iss` (RFC 9207) and `state` before anything else of the answer is read or shown. */
function validAnswer(
  as: AuthorizationServer,
  { id }: RegisteredClient,
  answer: URLSearchParams,
  state: string,
): URLSearchParams {
  try {
    return validateAuthResponse(as, { client_id: id }, answer, state)
  } catch (error) {
    throw oauthFailure(error, `the sign-in at ${as.issuer} failed`)
  }
}
