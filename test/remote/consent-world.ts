/** Two users of a gateway in front of a server where each user signs in, with real parts. */
import { createHash } from 'node:crypto'
import { freePort } from '../support/command.ts'
import {
  type AuthorizationServer,
  type AuthorizationServerOptions,
  startAuthorizationServer,
} from '../authentication/authorization-server.ts'
import { type RemoteApplication, startRemote } from './application.ts'
import { type ProtectedServer, startProtected } from './protected-server.ts'

export type User = 'ann' | 'bob'

export const keyOf = (user: User) => `ftl_${createHash('sha256').update(user).digest('base64url')}`

export const REMOTE_KEY = 'a-key-for-tests-of-32-characters!'

export interface Result {
  content: { type: string; text: string }[]
  structuredContent?: Record<string, unknown>
  isError?: boolean
}

export interface ConsentWorld {
  app: RemoteApplication
  issuer: AuthorizationServer
  server: ProtectedServer
  /** A call of a user, as a client of 2025-11-25. */
  call(user: User, name: string, args?: object): Promise<Result>
  names(user: User): Promise<string[]>
  /** The whole sign-in of a user, with an account of the same or another name at the server. */
  signIn(user: User, account?: string): Promise<Result>
  close(): Promise<void>
}

export interface ConsentOptions {
  /** Of the server in `remote_servers`. @default "consent" */
  auth?: unknown
  variables?: Record<string, string>
  /** Of the gateway. @default a free port */
  listen?: string
  authorizationServer?: AuthorizationServerOptions
}

export async function startConsentWorld({
  auth = 'consent',
  variables = {},
  listen,
  authorizationServer = {},
}: ConsentOptions = {}): Promise<ConsentWorld> {
  const issuer = await startAuthorizationServer(authorizationServer)
  const server = await startProtected(issuer.url)
  const place = listen ?? `127.0.0.1:${await freePort()}`
  const keys = (['ann', 'bob'] as const).map((user) => ({
    sha256: createHash('sha256').update(keyOf(user)).digest('hex'),
    principal: user,
    scopes: [],
  }))
  const app = await startRemote(
    { tracker: { url: server.url, auth } },
    {
      api_keys: JSON.stringify(keys),
      policy: 'signed-in',
      remote_key: REMOTE_KEY,
      remote_address: `http://${place}`,
      ...variables,
    },
    place,
  )

  async function ask(user: User, method: string, params: object): Promise<unknown> {
    const answer = await fetch(`${app.url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${keyOf(user)}` },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const { result, error } = (await answer.json()) as { result?: unknown; error?: unknown }
    if (error !== undefined) throw new Error(JSON.stringify(error))
    return result
  }
  const call = async (user: User, name: string, args: object = {}) =>
    (await ask(user, 'tools/call', { name, arguments: args })) as Result

  return {
    app,
    issuer,
    server,
    call,
    async names(user) {
      const { tools } = (await ask(user, 'tools/list', {})) as { tools: { name: string }[] }
      return tools.map(({ name }) => name).sort()
    },
    async signIn(user, account = user) {
      const { structuredContent } = await call(user, 'sign_in', { server: 'tracker' })
      const browser = new Browser(issuer)
      const code = await browser.signIn(String(structuredContent?.['url']), account)
      return call(user, 'sign_in', { server: 'tracker', code })
    },
    async close() {
      await app.close()
      await server.close()
      await issuer.close()
    },
  }
}

/** A browser with cookies of the gateway; the authorization server remembers nothing of it. */
export class Browser {
  readonly #issuer: AuthorizationServer
  readonly #places: Readonly<Record<string, string>>
  readonly #cookies = new Map<string, string>()
  /** Text of the last page. */
  text = ''
  /** What the gateway set. */
  setCookies: string[] = []

  /** @param places where an origin is served, of a gateway that has another address for browsers. */
  constructor(issuer: AuthorizationServer, places: Readonly<Record<string, string>> = {}) {
    this.#issuer = issuer
    this.#places = places
  }

  async request(address: string | URL, init: RequestInit = {}): Promise<Response> {
    const cookie = [...this.#cookies].map((pair) => pair.join('=')).join('; ')
    const wanted = new URL(address)
    const place = this.#places[wanted.origin] ?? wanted.origin
    const at = new URL(wanted.href.slice(wanted.origin.length), place)
    const response = await fetch(at, { redirect: 'manual', ...init, headers: { cookie } })
    for (const line of response.headers.getSetCookie()) {
      this.setCookies.push(line)
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      this.#cookies.set(name, value)
    }
    this.text = await response.clone().text()
    return response
  }

  /** Opens the link and presses the button. @returns the address at the authorization server. */
  async begin(link: string): Promise<URL> {
    await this.request(link)
    const response = await this.request(new URL('start', link), {
      method: 'POST',
      body: new URLSearchParams(this.fields()),
    })
    const location = response.headers.get('location')
    if (location === null) throw new Error(`${response.status}: ${this.text}`)
    return new URL(location)
  }

  fields(): Record<string, string> {
    const fields = [...this.text.matchAll(/name="(\w+)" value="([^"]*)"/g)]
    return Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value]))
  }

  /** @returns the address of the gateway that the authorization server sends the browser back to. */
  async consent(address: URL, account: string): Promise<URL> {
    this.#issuer.account = account
    return this.#issuer.signIn(address)
  }

  /** @returns the code that the last page shows. */
  async signIn(link: string, account: string): Promise<string> {
    await this.request(await this.consent(await this.begin(link), account))
    return this.code()
  }

  code(): string {
    const code = /class="code">([^<]+)</.exec(this.text)?.[1]
    if (code === undefined) throw new Error(this.text)
    return code
  }
}
