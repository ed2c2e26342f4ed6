/** The component with a clock of the test, a client, and the browser of its user. */
import { createHash, pbkdf2Sync } from 'node:crypto'
import { memoryPlatform } from 'ftl-platform/memory'
import { answer } from '../app.ts'
import { LEAST_ITERATIONS } from '../users/local-users.ts'

export const ISSUER = 'https://gateway.example'
export const PASS_PHRASE = 'correct horse battery staple'
const VERIFIER = 'v'.repeat(43)
export const BACK = 'https://client.example/back'

/** As `ftl auth user` prints it. */
export function userEntry(user: string, iterations = LEAST_ITERATIONS): object {
  return { user, pass_phrase: digest(iterations) }
}

/** Each takes 0.1 s. */
const digests = new Map<number, string>()

function digest(iterations: number): string {
  const known = digests.get(iterations)
  if (known !== undefined) return known
  const salt = Buffer.alloc(16, 1)
  const hash = pbkdf2Sync(PASS_PHRASE, salt, iterations, 32, 'sha512').toString('base64url')
  const made = `pbkdf2-sha512:${iterations}:${salt.toString('base64url')}:${hash}`
  digests.set(iterations, made)
  return made
}

export type Fields = Record<string, string | undefined>

const presentOf = (fields: Fields) =>
  new URLSearchParams(
    Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined),
  )

export type Json = Record<string, unknown>

export class World {
  now = Date.UTC(2026, 0, 1)
  /** Of the browser. */
  readonly jar = new Map<string, string>()
  /** Answers requests of the component. */
  network: (url: string, init?: RequestInit) => Promise<Response> = () =>
    Promise.reject(new Error('there is no network'))
  /** Of the user. */
  address = '192.0.2.1:50000'
  readonly variables: Record<string, string> = {
    auth_server_url: ISSUER,
    auth_server_key: 'a secret of at least 32 characters',
    allowed_hosts: 'gateway.example',
    auth_scopes: 'tools',
    auth_server_scopes: 'math',
  }
  readonly platform: ReturnType<typeof memoryPlatform>

  constructor(variables: Record<string, string> = {}) {
    Object.assign(this.variables, variables)
    this.platform = memoryPlatform({
      conditionalWrites: true,
      variables: this.variables,
      now: () => this.now,
      fetch: (input, init) =>
        this.network(input instanceof Request ? input.url : String(input), init),
    })
  }

  get cookie(): string {
    return [...this.jar].map((pair) => pair.join('=')).join('; ')
  }

  keep(response: Response): Response {
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (line.includes('Max-Age=0')) this.jar.delete(name)
      else this.jar.set(name, value)
    }
    return response
  }

  /** As the browser. */
  async visit(path: string): Promise<Response> {
    const headers: Record<string, string> = this.cookie === '' ? {} : { cookie: this.cookie }
    return this.keep(await this.send(path, { headers }))
  }

  async post(
    path: string,
    fields: Fields,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const sent = { cookie: this.cookie, origin: ISSUER, ...headers }
    return this.keep(
      await this.send(path, { method: 'POST', headers: sent, body: presentOf(fields) }),
    )
  }

  send(path: string, init: RequestInit = {}): Promise<Response> {
    const request = new Request(ISSUER + path, init)
    request.headers.set('spin-client-addr', this.address)
    return answer(request, this.platform)
  }

  async register(metadata: Json = {}): Promise<{ status: number; body: Json; id: string }> {
    const response = await this.send('/auth/register', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: [BACK], ...metadata }),
    })
    const body = (await response.json()) as Json
    return { status: response.status, body, id: String(body['client_id']) }
  }

  async ask(fields: Fields): Promise<{ response: Response; page: string; request: string }> {
    const query = presentOf({
      response_type: 'code',
      redirect_uri: BACK,
      code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
      code_challenge_method: 'S256',
      ...fields,
    })
    const response = await this.visit(`/auth/authorize?${query.toString()}`)
    const page = await response.text()
    return { response, page, request: /name="request" value="([^"]+)"/.exec(page)?.[1] ?? '' }
  }

  consent(fields: Fields, headers: Record<string, string> = {}): Promise<Response> {
    const all = { user: 'ada', pass_phrase: PASS_PHRASE, decision: 'allow', ...fields }
    return this.post('/auth/consent', all, headers)
  }

  /** @returns the code that the client gets. */
  async code(fields: Fields): Promise<string> {
    const { request } = await this.ask(fields)
    return (await returned(await this.consent({ request }))).get('code') ?? ''
  }

  async token(fields: Fields): Promise<{ status: number; body: Json }> {
    const response = await this.send('/auth/token', { method: 'POST', body: presentOf(fields) })
    return { status: response.status, body: (await response.json()) as Json }
  }

  redeem(id: string, code: string, fields: Fields = {}): Promise<{ status: number; body: Json }> {
    const grant = { grant_type: 'authorization_code', code, code_verifier: VERIFIER }
    return this.token({ ...grant, client_id: id, redirect_uri: BACK, ...fields })
  }

  refresh(
    id: string,
    token: unknown,
    fields: Fields = {},
  ): Promise<{ status: number; body: Json }> {
    const grant = { grant_type: 'refresh_token', refresh_token: String(token) }
    return this.token({ ...grant, client_id: id, ...fields })
  }
}

/** What the client gets. @throws {Error} if the user is not sent back. */
export async function returned(response: Response): Promise<URLSearchParams> {
  return (await nextOf(response)).searchParams
}

/** Where a page sends the browser. @throws {Error} if it does not. */
export async function nextOf(response: Response): Promise<URL> {
  const page = await response.text()
  const address = /http-equiv="refresh" content="0;url=([^"]+)"/.exec(page)?.[1]
  if (address === undefined) throw new Error(`${response.status}: ${page}`)
  const plain = address.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
  return new URL(plain, ISSUER)
}

/** The claims of an access token. */
export function claimsOf(token: unknown): Json {
  const [, claims = ''] = String(token).split('.')
  return JSON.parse(Buffer.from(claims, 'base64url').toString()) as Json
}
