import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AuthenticationError } from '../errors.ts'
import {
  metadata,
  METADATA,
  type OAuthServers,
  RESOURCE,
  startOAuthServers,
  unauthorized,
} from '../testing/oauth-servers.ts'
import { authorizedFetch } from './authorized-fetch.ts'
import { signIn } from './sign-in.ts'
import { signOut } from './sign-out.ts'
import { StoredTokens } from './token-source.ts'
import { type SignIn, TokenStore } from './token-store.ts'

let servers: OAuthServers
let folder: string
let store: TokenStore
let server: URL
let done: SignIn
beforeEach(async () => {
  servers = await startOAuthServers()
  folder = await mkdtemp(join(tmpdir(), 'ftl-tokens-'))
  store = new TokenStore(join(folder, 'tokens'))
  server = new URL(servers.server)
  const onAddress = (address: URL) => void servers.browse(address)
  done = await signIn(server, { store, onAddress })
  servers.received.length = 0
})
afterEach(async () => {
  await servers.close()
  await rm(folder, { recursive: true })
})

const client = () => authorizedFetch(server, new StoredTokens(server, { store }))
const sent = (path: string) => servers.received.filter(({ url }) => url.pathname === path)
const expire = () => store.save({ ...done, tokens: { ...done.tokens, expiresAt: Date.now() } })

/** An expired token is sent all the same, if it cannot be renewed. */
const refuse = () => servers.routes.set('/mcp', () => unauthorized(''))

/** @returns the error of a request. */
async function failure(): Promise<AuthenticationError> {
  const error: unknown = await client()(server).then(
    () => 'no error',
    (reason: unknown) => reason,
  )
  if (error instanceof AuthenticationError) return error
  throw error
}

describe('a stored token', () => {
  it('is sent to the server', async () => {
    expect((await client()(server)).status).toBe(200)
    expect(sent('/mcp').map(({ authorization }) => authorization)).toEqual(['Bearer access-1'])
  })

  it('is sent to no other origin, not even after a redirect', async () => {
    await client()(servers.issuer)
    servers.routes.set('/mcp', () => ({
      status: 307,
      headers: { location: `${servers.issuer}/stolen` },
    }))
    await client()(server)
    expect(sent('/stolen').map(({ authorization }) => authorization)).toEqual([undefined])
    expect(sent('/').map(({ authorization }) => authorization)).toEqual([undefined])
  })

  it('is not for another server at the same origin', async () => {
    const other = new URL('/other', server)
    expect(await new StoredTokens(other, { store }).current()).toBeUndefined()
  })

  it('that cannot be renewed is sent, because the server may no longer need one', async () => {
    await expire()
    // Another application, at the address of one that had an authorization server.
    servers.routes.set(METADATA, () => ({ status: 404 }))
    servers.routes.set('/mcp', () => ({ status: 200 }))
    expect((await client()(server)).status).toBe(200)
    refuse()
    servers.received.length = 0
    expect((await failure()).message).toContain('has no metadata')
    // Not a second time after the refusal.
    expect(sent(METADATA)).toHaveLength(1)
  })

  it('that is about to expire is renewed before it is sent, and the new refresh token is kept', async () => {
    await expire()
    expect((await client()(server)).status).toBe(200)
    const [{ form } = { form: new URLSearchParams() }] = sent('/token')
    expect(Object.fromEntries(form)).toMatchObject({
      grant_type: 'refresh_token',
      refresh_token: 'refresh-1',
      resource: servers.server,
      client_id: 'registered',
    })
    expect((await store.find(server))?.tokens).toMatchObject({
      accessToken: 'access-2',
      refreshToken: 'refresh-2',
    })
  })

  it('is renewed once by many clients at a time', async () => {
    await expire()
    const requests = Array.from({ length: 8 }, () => client()(server))
    for (const { status } of await Promise.all(requests)) expect(status).toBe(200)
    expect(sent('/token')).toHaveLength(1)
  })

  it('that the server refuses is renewed, and the request is sent again', async () => {
    const first = servers.routes.get('/mcp')
    servers.routes.set('/mcp', (request) =>
      request.authorization === 'Bearer access-1'
        ? unauthorized('error="invalid_token"')
        : (first?.(request) ?? {}),
    )
    expect((await client()(server, { method: 'POST', body: 'x' })).status).toBe(200)
    expect(sent('/mcp')).toHaveLength(2)
  })

  it('is refused forever: the request is sent twice, and the token is renewed once', async () => {
    servers.routes.set('/mcp', () => unauthorized('error="invalid_token"'))
    expect((await failure()).message).toContain('sign in again')
    expect([sent('/mcp').length, sent('/token').length]).toEqual([2, 1])
  })
})

describe('a refresh token', () => {
  it.each(['invalid_grant', 'invalid_client'])(
    'that is refused with %s is removed: the user must sign in',
    async (error) => {
      await expire()
      servers.routes.set('/mcp', () => unauthorized(''))
      servers.routes.set('/token', () => ({ status: 400, body: { error } }))
      expect((await failure()).signIn?.server).toBe(servers.server)
      expect(await store.all()).toEqual([])
    },
  )

  it('that is refused with invalid_request is kept, and the error has the reason and a sign-in', async () => {
    await expire()
    refuse()
    servers.routes.set('/token', () => ({ status: 400, body: { error: 'invalid_request' } }))
    const { message, signIn } = await failure()
    expect(message).toContain('invalid_request')
    expect(signIn?.server).toBe(servers.server)
    expect(await store.all()).toHaveLength(1)
  })

  it('is kept when the authorization server is down', async () => {
    await expire()
    refuse()
    servers.routes.set('/token', () => ({ status: 503 }))
    await expect(failure()).resolves.toMatchObject({ signIn: undefined })
    expect(await store.all()).toHaveLength(1)
  })

  it('is sent to its own issuer only, also when the server names another one now', async () => {
    await expire()
    const other = await startOAuthServers()
    try {
      servers.routes.set(RESOURCE, () => ({
        body: { resource: servers.server, authorization_servers: [other.issuer] },
      }))
      expect((await client()(server)).status).toBe(200)
      expect(other.received).toEqual([])
    } finally {
      await other.close()
    }
  })

  it('is not sent when the metadata of its issuer is that of another one', async () => {
    await expire()
    refuse()
    servers.routes.set(METADATA, () => ({ body: metadata('https://evil.example') }))
    expect((await failure()).message).toContain('another issuer')
    expect(sent('/token')).toEqual([])
  })
})

describe('a token with too few scopes', () => {
  const needs = 'error="insufficient_scope", scope="files"'

  it('needs a sign-in that keeps the scopes it has, and no refresh', async () => {
    servers.routes.set('/mcp', () => ({ ...unauthorized(needs), status: 403 }))
    const { signIn, message } = await failure()
    expect(signIn?.challenge.scope).toBe('tools files')
    expect(message).toContain('files')
    expect([sent('/mcp').length, sent('/token').length]).toEqual([1, 0])
  })

  it('is not the reason of another 403', async () => {
    servers.routes.set('/mcp', () => ({ status: 403 }))
    expect((await client()(server)).status).toBe(403)
  })
})

describe('signing out', () => {
  it('revokes the refresh token and the access token, and removes them', async () => {
    expect(await signOut(server, { store })).toMatchObject({ revocation: 'revoked' })
    expect(sent('/revoke').map(({ form }) => form.get('token'))).toEqual(['refresh-1', 'access-1'])
    expect(await store.all()).toEqual([])
    expect(await signOut(server, { store })).toBeUndefined()
  })

  it('removes them although the authorization server cannot revoke, or is down', async () => {
    const { revocation_endpoint: _, ...rest } = metadata(servers.issuer)
    servers.routes.set(METADATA, () => ({ body: rest }))
    expect(await signOut(server, { store })).toMatchObject({ revocation: 'unsupported' })
    await store.save(done)
    servers.routes.set(METADATA, () => ({ status: 500 }))
    expect(await signOut(server, { store })).toMatchObject({ revocation: 'failed' })
    expect(await store.all()).toEqual([])
  })

  it('says so where only the refresh token can be revoked', async () => {
    servers.routes.set('/revoke', ({ form }) =>
      form.get('token') === 'access-1'
        ? { status: 400, body: { error: 'unsupported_token_type' } }
        : {},
    )
    expect(await signOut(server, { store })).toMatchObject({ revocation: 'partly' })
  })
})
