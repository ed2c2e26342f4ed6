/**
 * A sign-in at the server's authorization server, from the user's "yes" to tokens that wait for the user's confirmation.
 *
 * The tokens are not used yet: the browser shows a code, and the user gives it to a client that is signed in at this
 * gateway. So the user of the gateway, and not who happened to open the link, takes the account into use.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
 */
import {
  AuthenticationError,
  authorizationAddress,
  clientFor,
  hasPkce,
  OFFLINE,
  oauthFailure,
  offersOffline,
  findAuthorizationServer,
  type RegisteredClient,
  scopeUnion,
  type Tokens,
  tokensForCode,
} from 'ftl-client/server-side'
import { isObject } from 'ftl-contract'
import { sha256 } from 'ftl-http'
import {
  type AuthorizationServer,
  generateRandomCodeVerifier,
  generateRandomState,
  validateAuthResponse,
} from 'oauth4webapi'
import { confirmationCode } from './code.ts'
import {
  clientSettings,
  type ConsentServer,
  type Consents,
  fetchFor,
  hostFetch,
  ownerOf,
  redirectUri,
  secretsOfClient,
} from './consents.ts'
import type { Owner } from './entries.ts'
import { PATIENCE_MS } from './link.ts'

/** Tokens of one user for one server, and what is needed to renew and revoke them. */
export interface Grant {
  as: AuthorizationServer
  client: RegisteredClient
  resource: string
  scope?: string
  tokens: Tokens
  signedInAt: number
}

interface Flow {
  as: AuthorizationServer
  client: RegisteredClient
  resource: string
  scope?: string
  verifier: string
  redirectUri: string
  /** Digest of the cookie of the browser that began. */
  browser: string
  /** Random part of `state`: a later sign-in of the same user replaces this one. */
  nonce: string
  until: number
}

/** Tokens that no client has confirmed yet. */
export interface Pending {
  grant: Grant
  code: string
  /** Wrong codes so far. */
  tries: number
  until: number
}

const STATE = ['state']
/** Characters of all tokens of a user. Few servers read headers of more than 16 KB. */
const MOST_OF_TOKENS = 32 * 1024

/** @returns the address to send the browser to. @throws {AuthenticationError} */
export async function beginFlow(
  consents: Consents,
  server: ConsentServer,
  principal: string,
  cookie: string,
): Promise<string> {
  const { sealer, entries, platform } = consents
  const settings = clientSettings(consents, server)
  const prepared = await findAuthorizationServer(server.url, {
    client: settings,
    fetch: hostFetch(platform),
    ...(server.auth.scope !== undefined && { scope: server.auth.scope }),
  })
  const { as, resource } = prepared
  if (as.authorization_endpoint === undefined || !hasPkce(as)) {
    throw new AuthenticationError(
      `${as.issuer} does not offer a sign-in with PKCE (S256), which MCP requires`,
    )
  }
  // A refresh token makes one sign-in last.
  const scope = offersOffline(as) ? scopeUnion(prepared.scope, OFFLINE) : prepared.scope
  const owner = ownerOf(server, principal)
  const before = (await entries.get<Flow>('flow', owner))?.value
  const client = await clientOf(consents, server, as, { scope, unanswered: before?.client.id })
  const nonce = generateRandomState()
  const flow: Flow = {
    as: needed(as),
    client,
    resource,
    ...(scope !== undefined && { scope }),
    verifier: generateRandomCodeVerifier(),
    redirectUri: redirectUri(consents),
    browser: await sha256(cookie),
    nonce,
    until: platform.now() + PATIENCE_MS,
  }
  await entries.put('flow', owner, flow)
  const address = await authorizationAddress(new URL(as.authorization_endpoint), {
    clientId: client.id,
    redirectUri: flow.redirectUri,
    resource,
    scopes: scope?.split(' ') ?? [],
    state: await sealer.seal(STATE, { ...owner, nonce }),
    verifier: flow.verifier,
  })
  return address.href
}

const METHODS = ['client_secret_basic', 'client_secret_post']

/** What refreshing, revoking and checking an answer need. */
function needed(as: AuthorizationServer): AuthorizationServer {
  const {
    issuer,
    token_endpoint,
    revocation_endpoint,
    token_endpoint_auth_methods_supported,
    authorization_response_iss_parameter_supported,
  } = as
  return {
    issuer,
    ...(token_endpoint !== undefined && { token_endpoint }),
    ...(revocation_endpoint !== undefined && { revocation_endpoint }),
    // Of a list that may have any size, what decides how a secret is sent.
    ...(token_endpoint_auth_methods_supported && {
      token_endpoint_auth_methods_supported: METHODS.filter((method) =>
        token_endpoint_auth_methods_supported.includes(method),
      ),
    }),
    ...(authorization_response_iss_parameter_supported !== undefined && {
      authorization_response_iss_parameter_supported,
    }),
  }
}

/**
 * A registration serves all users of the server: most authorization servers limit how many there may be.
 *
 * @param unanswered id of the client of an earlier sign-in that did not come back. An authorization server that has lost
 * its registrations keeps the browser on a page of its own, so the next try is that of a new client.
 */
async function clientOf(
  consents: Consents,
  server: ConsentServer,
  as: AuthorizationServer,
  { scope, unanswered }: { scope: string | undefined; unanswered: string | undefined },
): Promise<RegisteredClient> {
  const { entries, address } = consents
  const settings = clientSettings(consents, server)
  const uri = redirectUri(consents)
  const purpose = [server.name, server.url, as.issuer, uri]
  const hasDocument =
    settings.metadataUrl !== undefined && as['client_id_metadata_document_supported'] === true
  const isRegistered = settings.id === undefined && !hasDocument
  let known: RegisteredClient | undefined
  if (isRegistered) {
    known = await entries.registration<RegisteredClient>(server.name, purpose)
    if (known && known.id !== unanswered) return known
    if (as.registration_endpoint === undefined) {
      if (known) return known
      throw new AuthenticationError(
        `${as.issuer} does not let clients register themselves. The operator must register one with the redirect ` +
          `address ${uri}, and give its id as auth.clientId`,
      )
    }
  }
  const client = await clientFor(
    as,
    settings,
    {
      redirectUri: uri,
      scope,
      name: `ftl on ${new URL(address).host}`,
      // OpenID calls a client without TLS native: its redirect is on this machine.
      kind: address.startsWith('https:') ? 'web' : 'native',
    },
    fetchFor(consents, server),
  ).catch((error: unknown) => {
    if (known) return known
    throw error
  })
  if (isRegistered) await entries.keepRegistration(server.name, purpose, client)
  return client
}

/** Whose sign-in an answer belongs to; `undefined` for a state that is not ours. */
export async function ownerOfState({ sealer }: Consents, state: string) {
  const opened = await sealer.open(STATE, state)
  if (!isObject(opened)) return undefined
  const { principal, server, url, nonce } = opened
  return typeof principal === 'string' &&
    typeof server === 'string' &&
    typeof url === 'string' &&
    typeof nonce === 'string'
    ? { owner: { principal, server, url } satisfies Owner, nonce }
    : undefined
}

/**
 * Exchanges the code of the answer; it can be used once.
 *
 * @returns the code that the user gives to a client. @throws {AuthenticationError}
 */
export async function finishFlow(
  consents: Consents,
  server: ConsentServer,
  owner: Owner,
  { parameters, nonce, cookie }: { parameters: URLSearchParams; nonce: string; cookie: string },
): Promise<string> {
  const { entries, platform } = consents
  const flow = (await entries.get<Flow>('flow', owner))?.value
  const isOurs =
    flow?.nonce === nonce &&
    platform.now() < flow.until &&
    flow.browser === (await sha256(cookie)) &&
    flow.redirectUri === redirectUri(consents)
  if (!isOurs) throw notThisOne()
  // First of all, so that the same answer cannot be used again.
  await entries.remove('flow', owner)
  const { as, client, resource, scope, verifier } = flow
  const validated = checked(as, client, parameters)
  const settings = clientSettings(consents, server)
  const secrets = [verifier, parameters.get('code') ?? '']
  const fetch = fetchFor(consents, server, secrets.concat(secretsOfClient(client, settings)))
  const tokens = await tokensForCode(
    { as, client, settings, resource, scope, fetch },
    { parameters: validated, redirectUri: flow.redirectUri, verifier },
  )
  if (JSON.stringify(tokens).length > MOST_OF_TOKENS) {
    throw new AuthenticationError(`${as.issuer} gave tokens that are too large for a header`)
  }
  const signedInAt = platform.now()
  const grant: Grant = {
    as,
    client,
    resource,
    ...(scope !== undefined && { scope }),
    tokens,
    signedInAt,
  }
  const code = confirmationCode()
  const pending: Pending = { grant, code, tries: 0, until: signedInAt + PATIENCE_MS }
  await entries.put('pending', owner, pending)
  return code
}

function notThisOne(): AuthenticationError {
  return new AuthenticationError(
    'this answer does not belong to a sign-in of this browser, or it was used before: begin again with a new link',
  )
}

/** Checks `iss` (RFC 9207) and `state` before anything else of the answer is used. */
function checked(
  as: AuthorizationServer,
  { id }: RegisteredClient,
  parameters: URLSearchParams,
): URLSearchParams {
  try {
    return validateAuthResponse(as, { client_id: id }, parameters, parameters.get('state') ?? '')
  } catch (error) {
    throw oauthFailure(error, `the sign-in at ${as.issuer} failed`)
  }
}
