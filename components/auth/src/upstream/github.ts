/**
 * Signs a user in with GitHub, which is not an OpenID provider for users: an OAuth app, and requests to the API.
 *
 * @see https://docs.github.com/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps
 */
import { isArrayOf, isObject, isString } from 'ftl-contract'
import { jsonIn } from 'ftl-http'
import {
  authorizationCodeGrantRequest,
  ClientSecretPost,
  customFetch,
  processAuthorizationCodeResponse,
  validateAuthResponse,
} from 'oauth4webapi'
import { type Described, tooManyGroups, UpstreamProblem } from './identity.ts'
import { addressFor, failed, optionsFor, type Trip, type Visit } from './visit.ts'

const SCOPES = ['read:org']
const PAGE = 100
const MOST_PAGES = 5
/** Each of them shows organisations and teams. */
const SHOWING = ['read:org', 'write:org', 'admin:org', 'user']

/** An enterprise server has the API at a path of its own. */
const apiOf = (origin: string) =>
  origin === 'https://github.com' ? 'https://api.github.com' : `${origin}/api/v3`

function serverOf({ upstream: { issuer } }: Visit) {
  return { issuer: `${issuer}/login/oauth`, token_endpoint: `${issuer}/login/oauth/access_token` }
}

const scopesOf = ({ scopes }: Visit) => (scopes.length > 0 ? scopes : SCOPES)

/** @returns where to send the browser. */
export function beginGithub(visit: Visit, trip: Trip): Promise<string> {
  return addressFor(`${visit.upstream.issuer}/login/oauth/authorize`, visit, trip, {
    scope: scopesOf(visit).join(' '),
    allow_signup: 'false',
  })
}

/** @param parameters with which the browser came back. */
export async function finishGithub(
  visit: Visit,
  { state, verifier }: Trip,
  parameters: URLSearchParams,
): Promise<Described> {
  const { client, secret, redirectUri } = visit
  const as = serverOf(visit)
  const valid = validateAuthResponse(as, client, parameters, state)
  const response = await authorizationCodeGrantRequest(
    as,
    client,
    ClientSecretPost(secret),
    valid,
    redirectUri,
    verifier,
    { ...optionsFor(visit), [customFetch]: tokenFetch(visit) },
  )
  const { access_token: token, scope = '' } = await processAuthorizationCodeResponse(
    as,
    client,
    response,
  )
  if (isNarrowed(token, scope, scopesOf(visit)))
    throw new UpstreamProblem(
      `${visit.upstream.label} did not allow this server to see your organisations (read:org).`,
    )
  const api = apiFor(visit, token)
  const user = (await api('/user'))?.body
  const { id, login } = isObject(user) ? user : {}
  if (!Number.isSafeInteger(id) || !isString(login))
    throw new UpstreamProblem(`${visit.upstream.label} did not say who you are.`)
  const list = (path: string) => listed(visit, api, path)
  const organisations = (await list('/user/orgs')).map((each) => each['login'])
  const teams = (await list('/user/teams')).map(({ slug, organization }) =>
    isObject(organization) && isString(organization['login']) && isString(slug)
      ? `${organization['login']}/${slug}`
      : undefined,
  )
  return {
    // A login can be given up, and then belongs to the next user who takes it.
    subject: String(id),
    name: login,
    groups: [...organisations, ...teams].filter(isString),
    facts: [`login:${login}`],
  }
}

/**
 * Whether the user has taken scopes out of the address: without organisations, a rule could permit too much. Tokens of a
 * GitHub App (`ghu_`) have no scopes.
 */
function isNarrowed(token: string, granted: string, asked: readonly string[]): boolean {
  const has = (scopes: readonly string[]) => SHOWING.some((scope) => scopes.includes(scope))
  return token.startsWith('gho_') && has(asked) && !has(granted.split(/[\s,]+/))
}

/** GitHub reports errors with the status 200. */
function tokenFetch({ fetch }: Visit) {
  return async (url: string, init?: RequestInit): Promise<Response> => {
    const response = await fetch(url, init)
    const text = await response.text()
    const body = jsonIn(text)
    const isError = isObject(body) && isString(body['error'])
    return new Response(text, {
      status: isError && response.status === 200 ? 400 : response.status,
      headers: { 'content-type': response.headers.get('content-type') ?? '' },
    })
  }
}

interface Answer {
  body: unknown
  hasNext: boolean
}

type Api = (path: string) => Promise<Answer | undefined>

/** @returns requests of the API: `undefined` for what the user or an organisation does not let the app see. */
function apiFor({ upstream, fetch }: Visit, token: string): Api {
  return async (path) => {
    const response = await fetch(apiOf(upstream.issuer) + path, {
      headers: {
        accept: 'application/vnd.github+json',
        authorization: `Bearer ${token}`,
        'user-agent': 'ftl-auth',
        'x-github-api-version': '2022-11-28',
      },
    })
    const { status, headers } = response
    const text = await response.text()
    if (status === 404 || (status === 403 && !isLimit(headers, text))) return undefined
    if (status !== 200)
      throw new UpstreamProblem(failed(upstream), `${path} of its API answered ${status}`)
    return { body: jsonIn(text), hasNext: /;\s*rel="next"/.test(headers.get('link') ?? '') }
  }
}

/** @see https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit */
function isLimit(headers: Headers, text: string): boolean {
  return (
    headers.get('x-ratelimit-remaining') === '0' ||
    headers.has('retry-after') ||
    /rate limit/i.test(text)
  )
}

/** @throws {UpstreamProblem} for a part of a list: without some groups, a rule could permit too much. */
async function listed(
  { upstream }: Visit,
  api: Api,
  path: string,
): Promise<Record<string, unknown>[]> {
  const all: Record<string, unknown>[] = []
  for (let page = 1; page <= MOST_PAGES; page++) {
    const answer = await api(`${path}?per_page=${PAGE}&page=${page}`)
    if (!answer && page === 1) return []
    if (!isArrayOf(answer?.body, isObject))
      throw new UpstreamProblem(failed(upstream), `${path} of its API answered without a list`)
    all.push(...answer.body)
    if (!answer.hasNext) return all
  }
  throw tooManyGroups(upstream.label)
}
