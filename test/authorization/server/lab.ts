/** What a row about an authorization server works with: its metadata, clients that register themselves, and a user. */
import { createHash, randomBytes } from 'node:crypto'
import { FormBrowser, type Person } from './browser.ts'

type Json = Readonly<Record<string, unknown>>

export interface ServerTarget {
  /** The authorization server. */
  issuer: string
  /** What tokens are asked for (RFC 8707). @default none is named */
  resource?: string
  /** A scope that the server grants besides others. @default none is asked for */
  scope?: string
  person: Person
}

export interface Reply {
  status: number
  headers: Headers
  text: string
  /** An object, or nothing. */
  body: Json
}

export interface AsClient {
  id: string
  redirectUri: string
}

export interface Authorized {
  parameters: URLSearchParams
  verifier: string
  state: string
  /** All answers that the browser of the user got. */
  seen: Response[]
}

/** `undefined` leaves a parameter out. */
type Fields = Readonly<Record<string, string | undefined>>

export const REDIRECT = 'https://client.example/callback'

export class ServerLab {
  readonly target: ServerTarget
  #metadata: Json | undefined
  readonly #clients = new Map<string, AsClient>()
  /** Sign-ins take long at some servers, and are limited, so rows that only look share one, and all share a browser. */
  readonly #browser = new FormBrowser()
  #looked: Promise<Authorized> | undefined
  #tokens: { client: AsClient; reply: Reply } | undefined

  constructor(target: ServerTarget) {
    this.target = target
  }

  async get(url: string | URL): Promise<Reply> {
    return replyOf(await fetch(url, { redirect: 'manual' }))
  }

  /** As clients find it. */
  addresses(): URL[] {
    const { origin, pathname } = new URL(this.target.issuer)
    const path = pathname.replace(/\/+$/, '')
    return [
      `/.well-known/oauth-authorization-server${path}`,
      `/.well-known/openid-configuration${path}`,
      `${path}/.well-known/openid-configuration`,
    ].map((each) => new URL(each, origin))
  }

  /** @throws {Error} without metadata */
  async metadata(): Promise<Json> {
    if (this.#metadata) return this.#metadata
    for (const address of this.addresses()) {
      const reply = await this.get(address)
      if (reply.status === 200 && Object.keys(reply.body).length > 0)
        return (this.#metadata = reply.body)
    }
    throw new Error('the server has no metadata')
  }

  /** @throws {Error} if the metadata has no such address */
  async endpoint(name: string): Promise<URL> {
    const value = (await this.metadata())[`${name}_endpoint`]
    if (typeof value !== 'string') throw new Error(`the metadata has no ${name}_endpoint`)
    return new URL(value)
  }

  async register(metadata: object): Promise<Reply> {
    return replyOf(
      await fetch(await this.endpoint('registration'), {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify({
          client_name: 'Authorization suite',
          token_endpoint_auth_method: 'none',
          grant_types: ['authorization_code', 'refresh_token'],
          response_types: ['code'],
          ...metadata,
        }),
      }),
    )
  }

  /** A client of this address: the same for the same `name`. @throws {Error} if it cannot register */
  async client(redirectUri = REDIRECT, name = 'first'): Promise<AsClient> {
    const key = `${name} ${redirectUri}`
    const known = this.#clients.get(key)
    if (known) return known
    const { status, body, text } = await this.register({
      redirect_uris: [redirectUri],
      client_name: `Authorization suite, ${name}`,
    })
    if (status !== 201) throw new Error(`a client cannot register: ${status} ${text.slice(0, 200)}`)
    const client = { id: String(body['client_id']), redirectUri }
    this.#clients.set(key, client)
    return client
  }

  async authorizationAddress(
    { id, redirectUri }: AsClient,
    verifier: string,
    changes: Fields = {},
  ): Promise<URL> {
    const url = await this.endpoint('authorization')
    const { resource, scope } = this.target
    const parameters: Fields = {
      response_type: 'code',
      client_id: id,
      redirect_uri: redirectUri,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      resource,
      scope,
      ...changes,
    }
    for (const [name, value] of Object.entries(parameters))
      if (value !== undefined) url.searchParams.set(name, value)
    return url
  }

  /** A request without a user. */
  async ask(client: AsClient, changes: Fields = {}, edit?: (url: URL) => void): Promise<Reply> {
    const url = await this.authorizationAddress(client, newVerifier(), { state: 's', ...changes })
    edit?.(url)
    return this.get(url)
  }

  /** The user signs in and allows the client. */
  async authorize(client: AsClient, changes: Fields = {}): Promise<Authorized> {
    const verifier = newVerifier()
    const state = randomBytes(12).toString('base64url')
    const address = await this.authorizationAddress(client, verifier, { state, ...changes })
    const { person } = this.target
    const { address: back, seen } = await this.#browser.follow(address, client.redirectUri, person)
    return { parameters: back.searchParams, verifier, state, seen }
  }

  /** A sign-in of the first client, to be looked at: its code is used by no row. */
  looked(): Promise<Authorized> {
    return (this.#looked ??= this.client().then((client) => this.authorize(client)))
  }

  async post(name: string, fields: Fields): Promise<Reply> {
    const body = new URLSearchParams(
      Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined),
    )
    return replyOf(
      await fetch(await this.endpoint(name), {
        method: 'POST',
        headers: { accept: 'application/json' },
        redirect: 'manual',
        body,
      }),
    )
  }

  redeem(
    { id, redirectUri }: AsClient,
    { parameters, verifier }: Pick<Authorized, 'parameters' | 'verifier'>,
    changes: Fields = {},
  ): Promise<Reply> {
    return this.post('token', {
      grant_type: 'authorization_code',
      client_id: id,
      code: parameters.get('code') ?? '',
      redirect_uri: redirectUri,
      code_verifier: verifier,
      resource: this.target.resource,
      ...changes,
    })
  }

  refresh({ id }: AsClient, token: unknown, changes: Fields = {}): Promise<Reply> {
    return this.post('token', {
      grant_type: 'refresh_token',
      client_id: id,
      refresh_token: String(token),
      ...changes,
    })
  }

  /** Tokens of a sign-in, for rows that only look at them. @throws {Error} without a sign-in */
  async tokens(): Promise<{ client: AsClient; reply: Reply }> {
    return (this.#tokens ??= await this.freshTokens())
  }

  async freshTokens(changes: Fields = {}): Promise<{ client: AsClient; reply: Reply }> {
    const client = await this.client()
    const reply = await this.redeem(client, await this.authorize(client, changes))
    if (reply.status !== 200)
      throw new Error(`no token: ${reply.status} ${reply.text.slice(0, 200)}`)
    return { client, reply }
  }
}

export const newVerifier = () => randomBytes(32).toString('base64url')

export async function replyOf(response: Response): Promise<Reply> {
  const text = await response.text()
  let body: Json = {}
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) body = { ...value }
  } catch {
    // It is a page, or nothing.
  }
  return { status: response.status, headers: response.headers, text, body }
}

/** What an answer has under a name, for people to read. */
export const textOf = (value: unknown, otherwise = ''): string =>
  typeof value === 'string' ? value : otherwise

/** Whether a browser that gets it goes to this address by itself. */
export function leadsTo({ headers, text }: Reply, prefix: string): boolean {
  const location = headers.get('location') ?? ''
  const refresh = /http-equiv="refresh" content="0;url=([^"]+)"/i.exec(text)?.[1] ?? ''
  return [location, refresh].some((each) => each.toLowerCase().startsWith(prefix.toLowerCase()))
}
