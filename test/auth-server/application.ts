/** The gateway with its own authorization server, on the real host, and what a user and a client do there. */
import { createHash, pbkdf2Sync, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../support/command.ts'
import { MANIFESTS } from '../support/manifests.ts'
import { serveManifest } from '../support/serve-manifest.ts'

export const PASS_PHRASE = 'correct horse battery staple'

/** As `ftl auth user` prints it. */
export function userEntry(user: string, groups: string[] = [], passPhrase = PASS_PHRASE): object {
  const salt = randomBytes(16)
  const hash = pbkdf2Sync(passPhrase.normalize('NFKC'), salt, 210_000, 32, 'sha512')
  const digest = `pbkdf2-sha512:210000:${salt.toString('base64url')}:${hash.toString('base64url')}`
  return { user, pass_phrase: digest, groups }
}

export interface AuthServer {
  url: string
  /** Address of the gateway, which tokens are for. */
  resource: string
  close(): Promise<void>
}

export async function startAuthServer(
  variables: Record<string, string> = {},
  port?: number,
): Promise<AuthServer> {
  const listen = `127.0.0.1:${port ?? (await freePort())}`
  const url = `http://${listen}`
  const stateDir = await mkdtemp(join(tmpdir(), 'ftl-auth-server-'))
  const host = await serveManifest({
    manifest: MANIFESTS.authServer,
    listen,
    stateDir,
    // A pass phrase takes its time on a busy machine.
    host: { maxBlockingMs: 60_000 },
    variables: {
      auth_issuers: JSON.stringify([
        { issuer: url, jwks_uri: 'http://auth.spin.internal/auth/keys' },
      ]),
      auth_audience: `${url}/mcp`,
      policy: 'signed-in',
      auth_server_url: url,
      auth_server_key: randomBytes(32).toString('base64url'),
      auth_users: JSON.stringify([userEntry('ada', ['operators'])]),
      ...variables,
    },
  })
  return {
    url,
    resource: `${url}/mcp`,
    async close() {
      await host.close()
      await rm(stateDir, { recursive: true })
    },
  }
}

/** A browser without scripts: it keeps cookies, and reads forms. */
export class Browser {
  readonly #cookies = new Map<string, string>()

  async get(address: string | URL): Promise<Response> {
    return this.#keep(await fetch(address, { redirect: 'manual', headers: this.#headers() }))
  }

  async post(address: string | URL, fields: Record<string, string>): Promise<Response> {
    return this.#keep(
      await fetch(address, {
        method: 'POST',
        redirect: 'manual',
        headers: { ...this.#headers(), origin: new URL(address).origin },
        body: new URLSearchParams(fields),
      }),
    )
  }

  #headers(): Record<string, string> {
    const cookie = [...this.#cookies].map((pair) => pair.join('=')).join('; ')
    return cookie === '' ? {} : { cookie }
  }

  #keep(response: Response): Response {
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/Max-Age=0/i.test(line)) this.#cookies.delete(name)
      else this.#cookies.set(name, value)
    }
    return response
  }
}

/** A hidden field of a page. */
export function hidden(page: string, name = 'request'): string {
  const found = new RegExp(`name="${name}" value="([\\w.-]+)"`).exec(page)?.[1]
  if (found === undefined) throw new Error(`the page has no field ${name}: ${page.slice(0, 2000)}`)
  return found
}

/** The user allows the request. @returns the address that the client gets. */
export async function signInAt(
  address: URL,
  { user = 'ada', passPhrase = PASS_PHRASE, browser = new Browser() } = {},
): Promise<URL> {
  const asked = await browser.get(address)
  const page = await asked.text()
  const answered = await browser.post(new URL('/auth/consent', address), {
    request: hidden(page),
    user,
    pass_phrase: passPhrase,
    decision: 'allow',
  })
  return returnAddress(answered)
}

/** Where a page sends the user back to. */
export async function returnAddress(response: Response): Promise<URL> {
  const page = await response.text()
  const address = /http-equiv="refresh" content="0;url=([^"]+)"/.exec(page)?.[1]
  if (address === undefined) throw new Error(`${response.status}: ${page}`)
  return new URL(address.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code))))
}

export interface TokenAnswer {
  status: number
  body: Record<string, unknown>
}

/** A client that sends each request by hand, so that a test can change any part of it. */
export class HandClient {
  readonly verifier = randomBytes(32).toString('base64url')
  readonly state = randomBytes(16).toString('base64url')
  id = ''
  readonly server: AuthServer
  readonly redirectUri: string

  constructor(server: AuthServer, redirectUri = 'https://client.example/callback') {
    this.server = server
    this.redirectUri = redirectUri
  }

  async register(metadata: Record<string, unknown> = {}): Promise<TokenAnswer> {
    const response = await fetch(`${this.server.url}/auth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        client_name: 'Client of a test',
        redirect_uris: [this.redirectUri],
        ...metadata,
      }),
    })
    const body = (await response.json()) as Record<string, unknown>
    if (response.status === 201) this.id = String(body['client_id'])
    return { status: response.status, body }
  }

  /** @param changes `undefined` leaves a parameter out. */
  address(changes: Record<string, string | undefined> = {}): URL {
    const url = new URL('/auth/authorize', this.server.url)
    const parameters = {
      response_type: 'code',
      client_id: this.id,
      redirect_uri: this.redirectUri,
      state: this.state,
      code_challenge: createHash('sha256').update(this.verifier).digest('base64url'),
      code_challenge_method: 'S256',
      resource: this.server.resource,
      ...changes,
    }
    for (const [name, value] of Object.entries(parameters)) {
      if (value !== undefined) url.searchParams.set(name, value)
    }
    return url
  }

  async code(changes: Record<string, string | undefined> = {}): Promise<string> {
    return (await signInAt(this.address(changes))).searchParams.get('code') ?? ''
  }

  async post(path: string, fields: Record<string, string | undefined>): Promise<TokenAnswer> {
    const present = Object.entries(fields).filter(
      (field): field is [string, string] => field[1] !== undefined,
    )
    const response = await fetch(this.server.url + path, {
      method: 'POST',
      body: new URLSearchParams(present),
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }

  redeem(code: string, changes: Record<string, string | undefined> = {}): Promise<TokenAnswer> {
    return this.post('/auth/token', {
      grant_type: 'authorization_code',
      client_id: this.id,
      code,
      redirect_uri: this.redirectUri,
      code_verifier: this.verifier,
      resource: this.server.resource,
      ...changes,
    })
  }

  refresh(token: unknown, changes: Record<string, string | undefined> = {}): Promise<TokenAnswer> {
    return this.post('/auth/token', {
      grant_type: 'refresh_token',
      client_id: this.id,
      refresh_token: String(token),
      ...changes,
    })
  }

  /** @returns the status of a request to the gateway. */
  async whoami(token: unknown): Promise<TokenAnswer> {
    const response = await fetch(`${this.server.url}/whoami`, {
      headers: { authorization: `Bearer ${String(token)}` },
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
}
