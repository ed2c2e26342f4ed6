/** What comes before every sign-in: which authorization server issues tokens for the server, and for which scopes. */
import type { AuthorizationServer } from 'oauth4webapi'
import { AuthenticationError, type Challenge } from '../errors.ts'
import { serverAddress } from './addresses.ts'
import { type BoundedFetch, boundedFetch } from './bounded-fetch.ts'
import { challengeOf, isScopes } from './challenge.ts'
import { type ClientSettings, isSameIssuer } from './client-identity.ts'
import { discoverIssuer } from './discover-issuer.ts'
import { discoverResource } from './discover-resource.ts'
import { remoteText } from './remote-text.ts'

export interface PrepareOptions {
  /** @default a client that registers itself */
  client?: ClientSettings
  /** Of the response that requires the sign-in. @default requested from the server */
  challenge?: Challenge
  /** Separated by spaces. @default those of the challenge, else those that the server names */
  scope?: string
  signal?: AbortSignal
  fetch?: typeof globalThis.fetch
}

export interface Prepared {
  server: URL
  resource: string
  as: AuthorizationServer
  scope: string | undefined
  fetch: BoundedFetch
}

/** @throws {AuthenticationError} */
export async function findAuthorizationServer(
  address: string | URL,
  options: PrepareOptions,
): Promise<Prepared> {
  const { client = {}, scope } = options
  const server = serverAddress(address)
  if (scope !== undefined && !isScopes(scope)) {
    throw new AuthenticationError('scopes must be words without quotes, separated by one space')
  }
  const fetch = boundedFetch(server, options)
  const { challenge, status } = options.challenge
    ? { challenge: options.challenge, status: 401 }
    : await firstAnswer(server, options)
  const found = await discoverResource(server, challenge, fetch)
  if (!found) throw nothingToSignInTo(server, status)
  const { resource, issuers, scope: named } = found
  const issuer = chosenIssuer(issuers, client.issuer)
  const as = await discoverIssuer(issuer, server, fetch)
  return { server, resource, as, scope: scope ?? challenge.scope ?? named, fetch }
}

/** @throws {AuthenticationError} when the server does not name the issuer that the user expects. */
function chosenIssuer(named: string[], wanted: string | undefined): string {
  const [first = ''] = named
  if (wanted === undefined) return first
  const found = named.find((each) => isSameIssuer(wanted, each))
  if (found !== undefined) return found
  throw new AuthenticationError(
    `the server does not accept tokens of ${wanted}; it names ${named.map(remoteText).join(', ')}`,
  )
}

function nothingToSignInTo({ host, pathname }: URL, status: number): AuthenticationError {
  if (status === 401) {
    return new AuthenticationError(
      `${host} does not name an authorization server, so there is nothing to sign in to. ` +
        'If it uses API keys, give one with --token or FTL_TOKEN',
    )
  }
  // The last three are answers of MCP servers to a request that is not a message.
  const isOpen = status < 300 || [400, 405, 406].includes(status)
  return new AuthenticationError(
    isOpen
      ? `${host} does not require sign-in: it answers without a token`
      : `${host} answered ${pathname} with HTTP ${status}, and does not name an authorization server`,
  )
}

/** What the server answers without a token. */
async function firstAnswer(
  server: URL,
  { signal, fetch = globalThis.fetch }: PrepareOptions,
): Promise<{ challenge: Challenge; status: number }> {
  try {
    const limit = AbortSignal.any([AbortSignal.timeout(15_000), ...(signal ? [signal] : [])])
    const response = await fetch(server, {
      headers: { accept: 'application/json, text/event-stream' },
      redirect: 'manual',
      signal: limit,
    })
    // It may be an endless stream.
    await response.body?.cancel()
    const { status } = response
    return { challenge: status === 401 ? await challengeOf(response) : {}, status }
  } catch (error) {
    if (signal?.aborted) throw error
    throw new AuthenticationError(`${server.host} cannot be reached`, { cause: error })
  }
}
