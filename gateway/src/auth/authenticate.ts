/**
 * Finds out who sends a request.
 *
 * Nothing here runs for a gateway without authentication: its three variables are read, and that is all.
 */
import { isJobId, jobLinkIn, OUTPUTS_PATH, parseOutputName } from 'ftl-contract'
import { addressOf, ConfigurationError, failure, sha256 } from 'ftl-http'
import { forwardedUser, namesForwarded } from './forwarded-user.ts'
import { refuse } from '../access/mcp-access.ts'
import { storedJob } from '../jobs/kept-jobs.ts'
import { logError } from '../log.ts'
import type { Scope } from '../scope.ts'
import type { Settings } from '../settings.ts'
import { findApiKey, isApiKey } from './api-keys.ts'
import { METADATA_PATH, resourcesOf } from './audience.ts'
import { bearerOf } from './bearer.ts'
import type { Caller } from '../caller.ts'
import { challenge, type Challenge } from './challenge.ts'
import { refusalOf } from './deny-list.ts'
import { checkProof, credentialsOf } from './dpop.ts'
import { introspectToken } from './introspection.ts'
import { invalid, InvalidToken, mismatch } from './invalid-token.ts'
import { KeysUnavailable } from './issuer-keys.ts'
import { isJwt } from './jwt.ts'
import { isLinkTo } from '../jobs/job-links.ts'
import { keepVerdict, keptVerdict, verdictId } from './verdicts.ts'
import { verifyToken } from './verify-token.ts'

/** Set by `ftl build` for an application that does not pass `auth_introspection` to its gateway. */
declare const BUILT_WITHOUT_INTROSPECTION: true | undefined

/** Set by `ftl build` for an application that does not pass `auth_dpop` to its gateway. */
declare const BUILT_WITHOUT_DPOP: true | undefined

const introspect = typeof BUILT_WITHOUT_INTROSPECTION === 'undefined' ? introspectToken : undefined

/** These contain no data and name no tool: a probe, a page that loads the rest, and how to authenticate. */
const OPEN = new Set(['/health', '/docs'])

export function isOpenPath(pathname: string): boolean {
  return OPEN.has(pathname) || pathname.startsWith(METADATA_PATH)
}

export function isConfigured({ authIssuers, apiKeys, forwardedUser }: Settings): boolean {
  return authIssuers.text !== '' || apiKeys.text !== '' || forwardedUser.trust !== 'false'
}

/**
 * For requests that have a sealed capability instead of credentials: where another component can read the key, it could
 * seal one for any caller, or for none. Reads nothing more where the key is safe.
 *
 * @throws {ConfigurationError} if authentication is configured and the key is not safe.
 */
export function requireSafeKey(settings: Settings): void {
  if (settings.ownStore === '' && settings.requestStateKey === '' && isConfigured(settings)) {
    requireOwnEntries(settings)
  }
}

/**
 * @returns the caller, or the response to a request that has none.
 * @throws {ConfigurationError}
 */
export async function authenticate(request: Request, scope: Scope): Promise<Caller | Response> {
  const { settings } = scope
  requireOwnEntries(settings)
  const usesTokens = settings.authIssuers.text !== '' || settings.apiKeys.text !== ''
  // The proxy decides about a request that names its user, whatever else that request has.
  const isOfProxy =
    settings.forwardedUser.trust !== 'false' && (!usesTokens || namesForwarded(request))
  const presented =
    usesTokens && !isOfProxy
      ? (typeof BUILT_WITHOUT_DPOP === 'undefined' ? credentialsOf : bearerOf)(request)
      : undefined
  if (presented && 'malformed' in presented) {
    return challenge(request, settings, malformed(presented.malformed))
  }
  try {
    const caller = presented
      ? await callerOf(request, scope, presented.token)
      : ((await callerByLink(request, scope)) ??
        (isOfProxy ? forwardedUser(request, settings) : undefined))
    if (caller instanceof Response) return caller
    if (typeof BUILT_WITHOUT_DPOP === 'undefined' && presented && caller)
      await checkProof(request, scope, presented.token, caller)
    if (!caller) {
      return challenge(request, settings, { status: 401, message: 'This server requires a token' })
    }
    const refusal = refusalOf(caller, settings)
    if (!refusal) return caller
    if (refusal === 'scopes') {
      const { scopes = [] } = caller
      logError(
        scope,
        'a caller is refused',
        mismatch('scope', scopes, 'auth_scopes', settings.authScopes),
      )
      return challenge(request, settings, {
        status: 403,
        error: 'insufficient_scope',
        message: 'The caller does not have all scopes that this server requires (auth_scopes)',
      })
    }
    if (presented) throw invalid('has been revoked', 'auth_deny')
    const message = 'The access of this user has been revoked (auth_deny).'
    return refuse(request, 403, 'access_revoked', message)
  } catch (error) {
    if (error instanceof KeysUnavailable) {
      return failure(503, 'issuer_unavailable', error.message, { 'retry-after': '5' })
    }
    if (!(error instanceof InvalidToken)) throw error
    const { message, detail } = error
    logError(scope, 'a token is refused', detail === '' ? message : `${message}: ${detail}`)
    return challenge(request, settings, { status: 401, error: 'invalid_token', message })
  }
}

/** @throws {InvalidToken} {@link KeysUnavailable} {ConfigurationError} */
async function callerOf(request: Request, scope: Scope, token: string): Promise<Caller> {
  const { settings } = scope
  if (isApiKey(token)) {
    // A gateway with unusable issuers serves no key either.
    void settings.authIssuers.list
    const caller = findApiKey(settings.apiKeys.list, await sha256(token))
    if (!caller) throw unknownKey()
    return caller
  }
  if (settings.authIssuers.text === '') throw unknownKey()
  const resources = resourcesOf(request, settings)
  const isOpaque = introspect !== undefined && !isJwt(token) && settings.authIntrospection !== ''
  const about = isOpaque ? [...resources, settings.authIntrospection] : resources
  const id = await verdictId(scope, token, about)
  const known = await keptVerdict(scope, id)
  if (known) {
    // It was kept after the same texts of the issuers and the policy had been checked: they are part of the id.
    settings.policy?.skipCheck()
    return known
  }
  if (settings.authIssuers.list.length === 0) throw unknownKey()
  const verdict = await (isOpaque ? introspect : verifyToken)(scope, token, resources)
  verdict.caller.digest = await sha256(token)
  await keepVerdict(scope, id, verdict)
  return verdict.caller
}

/** @returns the owner of the job that the request may read by its link. */
async function callerByLink(request: Request, scope: Scope): Promise<Caller | undefined> {
  const { pathname, search } = addressOf(request)
  if (!['GET', 'HEAD'].includes(request.method)) return undefined
  const link = jobLinkIn(search)
  const id = jobOf(pathname)
  if (link === undefined || id === undefined) return undefined
  const job = await storedJob(scope, id)
  if (job?.owner === undefined || !(await isLinkTo(scope, job, link))) return undefined
  const caller: Caller = { principal: job.owner, byLink: true }
  // A link that opens nothing any more is like none.
  return refusalOf(caller, scope.settings) ? undefined : caller
}

function jobOf(pathname: string): string | undefined {
  if (pathname.startsWith(OUTPUTS_PATH)) {
    return parseOutputName(pathname.slice(OUTPUTS_PATH.length))?.jobId
  }
  const [, id = ''] = /^\/jobs\/([^/]+)(?:\/events)?$/.exec(pathname) ?? []
  return isJobId(id) ? id : undefined
}

function malformed(message: string): Challenge {
  return { status: 400, error: 'invalid_request', message }
}

/** Verdicts and owners of jobs are stored. Where other components can write there, they could be any user. */
function unknownKey(): InvalidToken {
  return new InvalidToken('The API key is not known')
}

function requireOwnEntries({ ownStore, requestStateKey }: Settings): void {
  if (ownStore !== '' || requestStateKey !== '') return
  throw new ConfigurationError(
    'request_state_key',
    'must be set, because other components can open the key-value store of the gateway; or give the gateway a store of its own (own_store)',
  )
}
