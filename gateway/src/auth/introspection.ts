/**
 * Opaque tokens: the authorization server says whose they are. `ftl build` leaves this out of the gateway of an
 * application that does not pass `auth_introspection` to it.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7662
 */
import { isObject, isString } from 'ftl-contract'
import { ConfigurationError, jsonIn } from 'ftl-http'
import { logError } from '../log.ts'
import type { Scope } from '../scope.ts'
import { checkClaims, type Verdict } from './claims.ts'
import { fetchJson } from './fetch-json.ts'
import { invalid } from './invalid-token.ts'
import { KeysUnavailable } from './issuer-keys.ts'
import { safeUrl } from './issuers.ts'

/** Milliseconds for which an answer is kept, so that a token that was revoked stops to work. */
const KEPT_MS = 60_000

interface Introspection {
  issuer: string
  endpoint: string
  clientId: string
  clientSecret: string
}

/** @throws {ConfigurationError} whose message has nothing of the value. */
export function readIntrospection(text: string): Introspection {
  const value = jsonIn(text)
  const {
    issuer,
    endpoint,
    client_id: clientId,
    client_secret: clientSecret,
  } = isObject(value) ? value : {}
  if (
    isString(issuer) &&
    isString(endpoint) &&
    safeUrl(endpoint) &&
    isString(clientId) &&
    isString(clientSecret)
  ) {
    return { issuer, endpoint, clientId, clientSecret }
  }
  throw new ConfigurationError(
    'auth_introspection',
    'must be { "issuer": "…", "endpoint": "https://…", "client_id": "…", "client_secret": "…" }',
  )
}

/**
 * @param resources canonical URIs, of which the token must be for one.
 * @throws {InvalidToken} {@link KeysUnavailable} {ConfigurationError}
 */
export async function introspectToken(
  scope: Scope,
  token: string,
  resources: readonly string[],
): Promise<Verdict> {
  const { settings, platform } = scope
  const asked = readIntrospection(settings.authIntrospection)
  const issuer = settings.authIssuers.list.find((one) => one.issuer === asked.issuer)
  if (!issuer) {
    throw new ConfigurationError('auth_introspection', 'must name an issuer of auth_issuers')
  }
  const { active, ...said } = await answerAbout(scope, token, asked)
  if (active !== true) throw invalid('is not active')
  const now = platform.now()
  const { username } = said
  const known = {
    iss: issuer.issuer,
    ...(isString(username) && { sub: `username:${username}`, preferred_username: username }),
    exp: Math.ceil((now + KEPT_MS) / 1000),
    ...said,
  }
  const { caller, expires } = checkClaims(
    { header: {}, claims: known },
    {
      issuer,
      resources,
      now,
      leewayMs: settings.authLeewayMs,
      groupsClaim: scope.hooks.needsGroups(scope) ? settings.authGroupsClaim : undefined,
    },
  )
  if (said.exp === undefined) delete caller.expires
  return { caller, expires: Math.min(expires, now + KEPT_MS) }
}

/** @throws {KeysUnavailable} */
async function answerAbout(
  scope: Scope,
  token: string,
  { endpoint, clientId, clientSecret }: Introspection,
): Promise<Record<string, unknown>> {
  const credentials = [clientId, clientSecret].map(encodeURIComponent).join(':')
  const form = new URLSearchParams({ token, token_type_hint: 'access_token' })
  try {
    const answer = await fetchJson(scope, endpoint, {
      method: 'POST',
      body: form.toString(),
      headers: {
        authorization: `Basic ${btoa(credentials)}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
    })
    if (isObject(answer)) return answer
    throw new Error('it does not accept the client_id and client_secret of auth_introspection')
  } catch (error) {
    const host = new URL(endpoint).origin
    logError(
      scope,
      `${endpoint} cannot be requested to check a token (auth_host must be ${host})`,
      error,
    )
    throw new KeysUnavailable(
      "The authorization server cannot be reached to check the token; the gateway's log says why.",
    )
  }
}
