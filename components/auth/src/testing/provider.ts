/** An OpenID provider that a test can make do anything. It checks PKCE, as providers do. */
import { createHash, randomUUID } from 'node:crypto'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { type Json, nextOf, type World } from './world.ts'

export const UPSTREAM = 'https://id.example/realms/main'
const CLIENT = { id: 'gateway', secret: 'secret of the gateway' }
const CALLBACK = 'https://gateway.example/auth/callback'

export const UPSTREAM_VARIABLES = {
  auth_upstream: UPSTREAM,
  auth_upstream_client_id: CLIENT.id,
  auth_upstream_client_secret: CLIENT.secret.replaceAll(' ', '-'),
  auth_upstream_users: 'email:ada@example.com',
}

const pair = generateKeyPair('ES256', { extractable: true })

interface Issued {
  challenge: string
  nonce: string
  redirectUri: string
}

export class Provider {
  /** Of the user who signs in. */
  claims: Json = { sub: 'u-1', email: 'ada@example.com', email_verified: true }
  userInfo: Json = { sub: 'u-1', preferred_username: 'ada', groups: ['staff'] }
  /** Changes to the metadata. */
  metadata: Json = {}
  /** Published keys. @default the one that signs */
  keys: Json[] | undefined
  /** Answers instead of the right ones, by path. */
  readonly answers = new Map<string, () => Response>()
  /** Makes another ID token of the claims. */
  sign = async (claims: Json): Promise<string | undefined> => {
    const { privateKey } = await pair
    return new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'one' }).sign(privateKey)
  }
  /** Addresses that were requested. */
  readonly requested: string[] = []
  readonly #codes = new Map<string, Issued>()
  readonly #world: World

  constructor(world: World) {
    this.#world = world
    world.network = (url, init) => this.#answer(url, init)
  }

  /** The user agrees, or has done so before. @returns the parameters with which the browser comes back. */
  authorize(address: URL): Record<string, string> {
    const get = (name: string) => address.searchParams.get(name) ?? ''
    if (get('redirect_uri') !== CALLBACK) throw new Error('the provider knows no such redirect_uri')
    const code = randomUUID()
    this.#codes.set(code, {
      challenge: get('code_challenge'),
      nonce: get('nonce'),
      redirectUri: get('redirect_uri'),
    })
    return { code, state: get('state') }
  }

  async #answer(url: string, init: RequestInit = {}): Promise<Response> {
    this.requested.push(url)
    const path = url.slice(UPSTREAM.length)
    const other = this.answers.get(path)
    if (other) return other()
    if (path === '/.well-known/openid-configuration') {
      return Response.json({
        issuer: UPSTREAM,
        authorization_endpoint: `${UPSTREAM}/authorize`,
        token_endpoint: `${UPSTREAM}/token`,
        userinfo_endpoint: `${UPSTREAM}/me`,
        jwks_uri: `${UPSTREAM}/keys`,
        id_token_signing_alg_values_supported: ['ES256', 'HS256', 'none'],
        ...this.metadata,
      })
    }
    if (path === '/keys') {
      if (this.keys) return Response.json({ keys: this.keys })
      const { publicKey } = await pair
      const jwk = await exportJWK(publicKey)
      return Response.json({ keys: [{ ...jwk, kid: 'one', use: 'sig', alg: 'ES256' }] })
    }
    if (path === '/me') return Response.json(this.userInfo)
    if (path === '/token') return this.#token(init)
    throw new Error(`the provider has no ${url}`)
  }

  async #token({ body, headers }: RequestInit): Promise<Response> {
    const form = new URLSearchParams(body as string)
    const { id } = CLIENT
    const secret = UPSTREAM_VARIABLES.auth_upstream_client_secret
    const sent = atob(new Headers(headers).get('authorization')?.slice('Basic '.length) ?? '')
    const isClient = decodeURIComponent(sent) === `${id}:${secret}`
    if (!isClient) return Response.json({ error: 'invalid_client' }, { status: 401 })
    const code = form.get('code') ?? ''
    const issued = this.#codes.get(code)
    this.#codes.delete(code)
    const verifier = form.get('code_verifier') ?? ''
    const challenge = createHash('sha256').update(verifier).digest('base64url')
    const isValid =
      issued?.challenge === challenge && issued.redirectUri === form.get('redirect_uri')
    if (!isValid) return Response.json({ error: 'invalid_grant' }, { status: 400 })
    const now = Math.floor(this.#world.now / 1000)
    const id_token = await this.sign({
      iss: UPSTREAM,
      aud: id,
      iat: now,
      exp: now + 60,
      nonce: issued.nonce,
      ...this.claims,
    })
    return Response.json({
      access_token: 'upstream-token',
      token_type: 'Bearer',
      ...(id_token !== undefined && { id_token }),
    })
  }
}

/** The user allows a client and signs in. @returns the answer to the browser that comes back. */
export async function signInThrough(
  world: World,
  provider: Pick<Provider, 'authorize'>,
  clientId: string,
  {
    changes = {},
    fields = {},
  }: { changes?: Record<string, string>; fields?: Record<string, string> } = {},
): Promise<Response> {
  const { request } = await world.ask({ client_id: clientId, ...fields })
  const sent = await nextOf(await world.post('/auth/consent', { request, decision: 'upstream' }))
  const back = new URLSearchParams({ ...provider.authorize(sent), ...changes })
  return world.visit(`/auth/callback?${back.toString()}`)
}
