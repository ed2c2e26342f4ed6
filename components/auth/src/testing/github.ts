/** A stand-in of GitHub, held to what its documentation says of OAuth apps and of its API. */
import { createHash, randomUUID } from 'node:crypto'
import type { Json, World } from './world.ts'

export const GITHUB_VARIABLES = {
  auth_upstream: 'github',
  auth_upstream_client_id: 'Iv1.gateway',
  auth_upstream_client_secret: 'secret-of-the-app',
  auth_upstream_users: 'login:ada',
}

export class GitHub {
  user: Json = { id: 583231, login: 'Ada', email: 'ada@example.com' }
  orgs: Json[] = [{ login: 'Acme', id: 1 }]
  teams: Json[] = [{ slug: 'admins', organization: { login: 'Acme' } }]
  /** Of the tokens, with commas. */
  scope = 'read:org'
  /** An answer of its API instead of the documented one, by path. */
  readonly answers = new Map<string, () => Response>()
  readonly requested: string[] = []
  readonly #codes = new Map<string, { challenge: string }>()
  readonly #origin: string
  readonly #api: string

  /** @param origin of an enterprise server. */
  constructor(world: World, origin = 'https://github.com') {
    this.#origin = origin
    this.#api = origin === 'https://github.com' ? 'https://api.github.com' : `${origin}/api/v3`
    world.network = (url, init) => this.#answer(url, init)
  }

  authorize(address: URL): Record<string, string> {
    if (address.origin + address.pathname !== `${this.#origin}/login/oauth/authorize`)
      throw new Error(`GitHub has no ${address.href}`)
    const code = randomUUID().slice(0, 20)
    this.#codes.set(code, { challenge: address.searchParams.get('code_challenge') ?? '' })
    return { code, state: address.searchParams.get('state') ?? '' }
  }

  async #answer(url: string, { body, headers, method }: RequestInit = {}): Promise<Response> {
    this.requested.push(url)
    const sent = new Headers(headers)
    if (url === `${this.#origin}/login/oauth/access_token`) {
      if (method !== 'POST') throw new Error('GitHub wants POST')
      // The default is a form.
      if (sent.get('accept') !== 'application/json') throw new Error('no JSON was asked for')
      return this.#token(new URLSearchParams(body as string))
    }
    if (!url.startsWith(this.#api)) throw new Error(`GitHub has no ${url}`)
    // https://docs.github.com/rest/using-the-rest-api/getting-started-with-the-rest-api#user-agent
    if (!sent.has('user-agent')) return new Response('no user agent', { status: 403 })
    if (sent.get('authorization') !== 'Bearer gho_upstream')
      return Response.json({ message: 'Bad credentials' }, { status: 401 })
    const { pathname, searchParams } = new URL(url)
    const path = pathname.replace(/^\/api\/v3/, '')
    const other = this.answers.get(path)
    if (other) return other()
    const page = Number(searchParams.get('page') ?? 1)
    const size = Number(searchParams.get('per_page') ?? 30)
    const part = (list: Json[]) =>
      Response.json(list.slice((page - 1) * size, page * size), {
        headers:
          page * size < list.length
            ? { link: `<${this.#api}${path}?per_page=${size}&page=${page + 1}>; rel="next"` }
            : {},
      })
    if (path === '/user') return Response.json(this.user)
    if (path === '/user/orgs') return part(this.orgs)
    if (path === '/user/teams') return part(this.teams)
    return Response.json({ message: 'Not Found' }, { status: 404 })
  }

  /** Errors have the status 200, too. */
  #token(form: URLSearchParams): Response {
    const { auth_upstream_client_id: id, auth_upstream_client_secret: secret } = GITHUB_VARIABLES
    if (form.get('client_id') !== id || form.get('client_secret') !== secret)
      return Response.json({
        error: 'incorrect_client_credentials',
        error_description: 'The client_id and/or client_secret passed are incorrect.',
      })
    const issued = this.#codes.get(form.get('code') ?? '')
    this.#codes.delete(form.get('code') ?? '')
    const verifier = form.get('code_verifier') ?? ''
    const challenge = createHash('sha256').update(verifier).digest('base64url')
    if (issued?.challenge !== challenge)
      return Response.json({
        error: 'bad_verification_code',
        error_description: 'The code passed is incorrect or expired.',
      })
    return Response.json({ access_token: 'gho_upstream', scope: this.scope, token_type: 'bearer' })
  }
}
