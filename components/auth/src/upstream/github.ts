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
import { type Described, UpstreamProblem } from './identity.ts'
import { addressFor, optionsFor, type Trip, type Visit } from './visit.ts'

const SCOPES = ['read:org']
const PAGE = 100
const MOST_PAGES = 3

/** An enterprise server has the API at a path of its own. */
const apiOf = (origin: string) =>
  origin === 'https://github.com' ? 'https://api.github.com' : `${origin}/api/v3`

function serverOf({ upstream: { issuer } }: Visit) {
  return { issuer: `${issuer}/login/oauth`, token_endpoint: `${issuer}/login/oauth/access_token` }
}

/** @returns where to send the browser. */
export function beginGithub(visit: Visit, trip: Trip): Promise<string> {
  const scope = (visit.scopes.length > 0 ? visit.scopes : SCOPES).join(' ')
  return addressFor(`${visit.upstream.issuer}/login/oauth/authorize`, visit, trip, {
    scope,
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
  const tokens = await processAuthorizationCodeResponse(as, client, response)
  const api = apiFor(visit, tokens.access_token)
  const user = await api('/user')
  const { id, login } = isObject(user) ? user : {}
  if (!Number.isSafeInteger(id) || !isString(login))
    throw new UpstreamProblem(`${visit.upstream.label} did not say who you are.`)
  const organisations = (await listed(api, '/user/orgs')).map((each) => each['login'])
  const teams = (await listed(api, '/user/teams')).map(({ slug, organization }) =>
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

/** GitHub reports errors with the status 200. */
function tokenFetch({ fetch }: Visit) {
  return async (url: string, init?: RequestInit): Promise<Response> => {
    const response = await fetch(url, init)
    const text = await response.text()
    const body = jsonIn(text)
    const failed = isObject(body) && isString(body['error'])
    return new Response(text, {
      status: failed && response.status === 200 ? 400 : response.status,
      headers: { 'content-type': response.headers.get('content-type') ?? '' },
    })
  }
}

type Api = (path: string) => Promise<unknown>

/** @returns requests of the API: `undefined` for what the user or an organisation does not let the app see. */
function apiFor({ upstream: { issuer, label }, fetch }: Visit, token: string): Api {
  return async (path) => {
    const response = await fetch(apiOf(issuer) + path, {
      headers: {
        accept: 'application/vnd.github+json',
        authorization: `Bearer ${token}`,
        'user-agent': 'ftl-auth',
        'x-github-api-version': '2022-11-28',
      },
    })
    const isLimited = response.headers.get('x-ratelimit-remaining') === '0'
    if (response.status === 404 || (response.status === 403 && !isLimited)) return undefined
    if (response.status !== 200)
      throw new UpstreamProblem(
        `The sign-in with ${label} failed. The log of the component auth says why.`,
        `${path} of its API answered ${response.status}`,
      )
    return jsonIn(await response.text())
  }
}

async function listed(api: Api, path: string): Promise<Record<string, unknown>[]> {
  const all: Record<string, unknown>[] = []
  for (let page = 1; page <= MOST_PAGES; page++) {
    const found = await api(`${path}?per_page=${PAGE}&page=${page}`)
    if (!isArrayOf(found, isObject)) break
    all.push(...found)
    if (found.length < PAGE) break
  }
  return all
}
