/** The metadata of an authorization server, and its failures in words for users. */
import { issuerMetadataAddresses } from 'ftl-client/oauth'
import * as oauth from 'oauth4webapi'

/** Why the user is not signed in, in words that are shown. */
export class SignInError extends Error {
  override readonly name = 'SignInError'
  /** What the authorization server said about it, unchecked. @default '' */
  readonly said: string
  /** Whether another registration of the page may help. */
  readonly isOfClient: boolean
  constructor(message: string, said = '', isOfClient = false) {
    super(message)
    this.said = said
    this.isOfClient = isOfClient
  }
}

export interface RequestOptions {
  [oauth.allowInsecureRequests]: boolean
  [oauth.customFetch]: (url: string, init: RequestInit) => Promise<Response>
}

const LOOPBACK = /^(([\w-]+\.)*localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

export function isLoopback({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && LOOPBACK.test(hostname)
}

/** Sends requests to the server: without cookies, and without TLS only to this machine. @throws {SignInError} */
export async function toServer<T>(
  issuer: string,
  work: (options: RequestOptions) => Promise<T>,
): Promise<T> {
  try {
    return await work({
      [oauth.allowInsecureRequests]: isLoopback(new URL(issuer)),
      [oauth.customFetch]: (url, init) =>
        fetch(url, { ...init, credentials: 'omit', referrerPolicy: 'no-referrer' }),
    })
  } catch (error) {
    throw worded(error)
  }
}

const known = new Map<string, Promise<oauth.AuthorizationServer>>()

/** @throws {SignInError} */
export function discover(issuer: string): Promise<oauth.AuthorizationServer> {
  const found = known.get(issuer) ?? request(issuer)
  known.set(issuer, found)
  found.catch(() => known.delete(issuer))
  return found
}

async function request(issuer: string): Promise<oauth.AuthorizationServer> {
  const server = new URL(issuer)
  return toServer(issuer, async (options) => {
    let failed: Error | undefined
    for (const address of issuerMetadataAddresses(server)) {
      const request = { headers: { accept: 'application/json' }, redirect: 'manual' } as const
      const response = await options[oauth.customFetch](address.href, request).catch(
        (error: Error) => void (failed = error),
      )
      // A 404 without the headers of CORS is a failed request; the next address may allow this page.
      if (!response?.ok) continue
      const as = await oauth.processDiscoveryResponse(server, response)
      // The library normalizes addresses before it compares them. Tokens have to name the issuer exactly.
      if (as.issuer !== issuer) throw new SignInError(ANOTHER)
      return as
    }
    if (failed) throw failed
    throw new SignInError('The authorization server does not describe itself (RFC 8414, OpenID).')
  })
}

const UNREACHABLE =
  'The authorization server cannot be reached from this page. Check the connection. It also has to allow requests ' +
  'of this page (CORS), and each of its addresses has to be in auth_issuers or auth_page_origins.'

const ANOTHER = 'The authorization server describes itself as another one.'

const NOT_HERE =
  'The answer does not belong to this sign-in, so it was not used. Sign in again from this page.'

function worded(error: unknown): unknown {
  if (error instanceof oauth.AuthorizationResponseError) {
    const { error: code, error_description: more = '' } = error
    const said = `${code}: ${more}`.replace(/: $/, '')
    if (code === 'access_denied') return new SignInError('The sign-in was declined.', more)
    return new SignInError('The authorization server refused the sign-in.', said, true)
  }
  if (error instanceof oauth.ResponseBodyError) {
    const { error: code, error_description: more = '' } = error
    return new SignInError('The authorization server gave no token.', `${code}: ${more}`, true)
  }
  if (
    error instanceof oauth.OperationProcessingError &&
    error.code === oauth.JSON_ATTRIBUTE_COMPARISON
  ) {
    return new SignInError(ANOTHER)
  }
  if (error instanceof oauth.OperationProcessingError && error.code === oauth.INVALID_RESPONSE) {
    return new SignInError(NOT_HERE)
  }
  if (error instanceof TypeError) return new SignInError(UNREACHABLE)
  if (error instanceof SignInError) return error
  return new SignInError(
    'The authorization server answered in a way that this page does not understand.',
  )
}
