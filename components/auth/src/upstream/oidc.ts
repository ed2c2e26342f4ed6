/**
 * Signs a user in at an OpenID provider.
 *
 * @see https://openid.net/specs/openid-connect-core-1_0.html
 */
import { AuthenticationError, mayHaveToken } from 'ftl-client/server-side'
import { isArrayOf, isObject, isString } from 'ftl-contract'
import {
  authorizationCodeGrantRequest,
  type AuthorizationServer,
  ClientSecretBasic,
  ClientSecretPost,
  discoveryRequest,
  getValidatedIdTokenClaims,
  None,
  OperationProcessingError,
  processAuthorizationCodeResponse,
  processDiscoveryResponse,
  processUserInfoResponse,
  UnsupportedOperationError,
  userInfoRequest,
  validateApplicationLevelSignature,
  validateAuthResponse,
} from 'oauth4webapi'
import { type Described, tooManyGroups, UpstreamProblem } from './identity.ts'
import { addressFor, failed, optionsFor, type Trip, type Visit } from './visit.ts'

const SCOPES = ['openid', 'profile', 'email']
const GOOGLE = 'https://accounts.google.com'

async function discovered(visit: Visit): Promise<AuthorizationServer> {
  const issuer = new URL(visit.upstream.issuer)
  return processDiscoveryResponse(issuer, await discoveryRequest(issuer, optionsFor(visit)))
}

/** @returns where to send the browser. */
export async function beginOidc(visit: Visit, trip: Trip): Promise<string> {
  const as = await discovered(visit)
  const endpoint = as.authorization_endpoint ?? ''
  if (!mayHaveToken(endpoint))
    throw new UpstreamProblem(`${visit.upstream.label} names no address to sign in at.`)
  const { scopes, groupsClaim } = visit
  // Some providers send groups only to clients that ask for them.
  const extra = as.scopes_supported?.includes(groupsClaim) ? [groupsClaim] : []
  const scope = [...new Set(['openid', ...(scopes.length > 0 ? scopes : [...SCOPES, ...extra])])]
  return addressFor(endpoint, visit, trip, { scope: scope.join(' '), nonce: trip.nonce })
}

/** @param parameters with which the browser came back. */
export async function finishOidc(
  visit: Visit,
  { state, nonce, verifier }: Trip,
  parameters: URLSearchParams,
): Promise<Described> {
  const { client, redirectUri } = visit
  const options = optionsFor(visit)
  const as = await discovered(visit)
  const valid = validateAuthResponse(as, client, parameters, state)
  const response = await authorizationCodeGrantRequest(
    as,
    client,
    authenticationOf(as, visit),
    valid,
    redirectUri,
    verifier,
    options,
  )
  const tokens = await processAuthorizationCodeResponse(as, client, response, {
    expectedNonce: nonce,
    requireIdToken: true,
  })
  await checkSignature(as, response, visit)
  const claims = getValidatedIdTokenClaims(tokens)
  if (!claims) throw new UpstreamProblem(`${visit.upstream.label} did not say who you are.`)
  // Many providers put only the subject into the ID token.
  const more = as.userinfo_endpoint
    ? await processUserInfoResponse(
        as,
        client,
        claims.sub,
        await userInfoRequest(as, client, tokens.access_token, options),
      )
    : {}
  return describedBy(visit, { ...more, ...claims, ...addressIn([claims, more]) })
}

/** @throws {UpstreamProblem} also for a key that the platform cannot use, whose error the library passes on. */
async function checkSignature(
  as: AuthorizationServer,
  response: Response,
  visit: Visit,
): Promise<void> {
  try {
    await validateApplicationLevelSignature(as, response, optionsFor(visit))
  } catch (error) {
    const isTold = [OperationProcessingError, UnsupportedOperationError, AuthenticationError].some(
      (kind) => error instanceof kind,
    )
    if (isTold) throw error
    throw new UpstreamProblem(failed(visit.upstream), `a key of its jwks_uri cannot be used`)
  }
}

/** An address is verified only by the claims that name it: those beside them can mean another one. */
function addressIn(sources: readonly Claims[]): Claims {
  const verified = sources.find(
    (each) => own(each, 'email_verified') === true && isString(own(each, 'email')),
  )
  return { email: own(verified, 'email'), email_verified: verified !== undefined }
}

function authenticationOf(as: AuthorizationServer, { secret }: Visit) {
  if (secret === '') return None()
  const methods = as.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  return methods.includes('client_secret_basic') || !methods.includes('client_secret_post')
    ? ClientSecretBasic(secret)
    : ClientSecretPost(secret)
}

type Claims = Readonly<Record<string, unknown>>

const own = (claims: unknown, name: string): unknown =>
  isObject(claims) && Object.hasOwn(claims, name) ? claims[name] : undefined

export function describedBy({ upstream, groupsClaim }: Visit, claims: Claims): Described {
  const subject = String(claims['sub'])
  const text = (name: string) => {
    const value = own(claims, name)
    return isString(value) && value !== '' ? value : undefined
  }
  // An address that was not verified is only what the user has typed.
  const email = own(claims, 'email_verified') === true ? text('email') : undefined
  // At Google, an address of a company can be that of an account outside of it.
  const domain = upstream.issuer === GOOGLE ? text('hd') : email?.split('@').at(-1)
  return {
    subject,
    name: text('preferred_username') ?? email ?? text('name') ?? subject,
    groups: groupsOf(claims, groupsClaim, upstream.label),
    facts: [
      ...(email === undefined ? [] : [`email:${email}`]),
      ...(domain === undefined ? [] : [`domain:${domain}`]),
    ],
  }
}

/** The claim of this name, else one inside other claims. @throws {UpstreamProblem} for one of another form. */
function groupsOf(claims: Claims, name: string, label: string): string[] {
  const value = own(claims, name) ?? name.split('.').reduce<unknown>(own, claims)
  if (value === undefined || value === null) {
    if (areElsewhere(claims, name)) throw tooManyGroups(label)
    return []
  }
  if (isString(value)) return [value]
  if (isArrayOf(value, isString)) return value
  throw new UpstreamProblem(
    `The claim ${name} must be a string or a list of strings (auth_upstream_groups_claim).`,
  )
}

/**
 * Whether the provider names a place where the groups are, because they are too many. Microsoft Entra does.
 *
 * @see https://openid.net/specs/openid-connect-core-1_0.html#AggregatedDistributedClaims
 */
function areElsewhere(claims: Claims, name: string): boolean {
  const isNamed = own(own(claims, '_claim_names'), name) !== undefined
  return isNamed || (name === 'groups' && String(own(claims, 'hasgroups')) === 'true')
}
