/** What a sign-in at the upstream server needs: this component is a client there. */
import { AuthenticationError, type BoundedFetch, boundedFetch } from 'ftl-client/server-side'
import {
  allowInsecureRequests,
  AuthorizationResponseError,
  calculatePKCECodeChallenge,
  clockSkew,
  customFetch,
  OperationProcessingError,
  ResponseBodyError,
  UnsupportedOperationError,
  WWWAuthenticateChallengeError,
} from 'oauth4webapi'
import { PATHS } from '../metadata.ts'
import type { Scope } from '../scope.ts'
import { UpstreamProblem } from './identity.ts'
import { checkPermitted } from './permitted.ts'
import type { Upstream } from './upstream.ts'

/** Secrets of one sign-in. */
export interface Trip {
  state: string
  nonce: string
  /** Of PKCE: a code that was stolen is of no use in another sign-in. */
  verifier: string
}

export interface Visit {
  upstream: Upstream
  client: { client_id: string; [clockSkew]: number }
  secret: string
  /** `auth_upstream_scopes`; empty: the default of the kind. */
  scopes: readonly string[]
  groupsClaim: string
  redirectUri: string
  fetch: BoundedFetch
}

/** @returns `undefined` without an upstream server. @throws {ConfigurationError} also if it could sign in no user. */
export function visitOf({ settings, platform }: Scope): Visit | undefined {
  const { upstream } = settings
  if (!upstream) return undefined
  checkPermitted(upstream, settings.permitted)
  return {
    upstream,
    client: {
      client_id: settings.upstreamClientId,
      // The library has no other clock than that of the machine.
      [clockSkew]: Math.floor((platform.now() - Date.now()) / 1000),
    },
    secret: settings.upstreamSecret,
    scopes: settings.upstreamScopes,
    groupsClaim: settings.groupsClaim,
    redirectUri: settings.issuer + PATHS.callback,
    fetch: boundedFetch(new URL(upstream.issuer), {
      fetch: (input, init) =>
        platform.fetch(input instanceof Request ? input.url : String(input), init),
    }),
  }
}

/** Plain http is refused by `boundedFetch`, unless the upstream server is on this machine. */
export function optionsFor({ fetch }: Visit) {
  return {
    [customFetch]: (url: string, init?: RequestInit) => fetch(url, init),
    [allowInsecureRequests]: true,
  }
}

/** Where the browser goes. @param endpoint of the upstream server, which was checked. */
export async function addressFor(
  endpoint: string,
  { client, redirectUri }: Visit,
  { state, verifier }: Trip,
  more: Readonly<Record<string, string>>,
): Promise<string> {
  const address = new URL(endpoint)
  const parameters = {
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: redirectUri,
    state,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...more,
  }
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value)
  return address.href
}

/** What the page of the user says. */
export const failed = ({ label }: Upstream) =>
  `The sign-in with ${label} failed. The log of the component auth says why.`

/** Says what a failed request or check means. Neither a code nor a token or secret is in it. */
export function problemOf({ upstream, secret }: Visit, error: unknown): UpstreamProblem {
  if (error instanceof UpstreamProblem) return error
  const { label } = upstream
  const message = failed(upstream)
  const answered = ({ error: code, error_description: text }: Answered) =>
    new UpstreamProblem(
      message,
      `it answered ${shown(code, secret)}${text === undefined ? '' : `: ${shown(text, secret)}`}`,
    )
  if (error instanceof AuthorizationResponseError) {
    return error.error === 'access_denied'
      ? new UpstreamProblem(`${label} did not sign you in: access was denied.`)
      : answered(error)
  }
  if (error instanceof ResponseBodyError) return answered(error)
  if (error instanceof WWWAuthenticateChallengeError)
    return new UpstreamProblem(message, `it answered ${error.status} with a challenge`)
  if (error instanceof AuthenticationError)
    return new UpstreamProblem(
      message,
      `${error.message}. Each host that is requested must be in allowed_outbound_hosts of the component auth`,
    )
  if (error instanceof OperationProcessingError || error instanceof UnsupportedOperationError)
    return new UpstreamProblem(message, `${error.message} (${String(error.code)})`)
  throw error
}

interface Answered {
  error: string
  error_description?: string | undefined
}

/** Some servers repeat what they were sent. */
function shown(text: string, secret: string): string {
  const hidden = secret === '' ? [] : [secret, encodeURIComponent(secret)]
  return hidden
    .reduce((rest, each) => rest.replaceAll(each, '…'), text)
    .slice(0, 300)
    .replace(/[^\x20-\x7e…]/g, '?')
}
