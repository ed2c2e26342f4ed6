// Official clients and `ftl login` register and sign in at the gateway's own authorization server.
import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MemoryProvider } from '../authentication/memory-provider.ts'
import { ftl } from '../support/command.ts'
import { type AuthServer, HandClient, signInAt, startAuthServer } from './application.ts'

/** Three commands start, and a pass phrase is checked: a busy machine takes its time. */
const MINUTES = 3 * 60_000

let server: AuthServer

beforeAll(async () => {
  server = await startAuthServer({ auth_scopes: 'tools', auth_server_scopes: 'math' })
})
afterAll(() => server.close())

describe('an official client', () => {
  it.each(['legacy', 'auto'] as const)(
    'registers, signs in, calls a tool and renews its token, negotiating %s',
    async (mode) => {
      const provider = new MemoryProvider()
      const client = () =>
        new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
      const transport = () =>
        new StreamableHTTPClientTransport(new URL(server.resource), { authProvider: provider })
      const first = transport()
      await expect(client().connect(first)).rejects.toThrow(UnauthorizedError)
      const back = await signInAt(provider.address())
      await first.finishAuth(back.searchParams)
      const signedIn = client()
      await signedIn.connect(transport())
      const call = { name: 'calculator', arguments: { expression: '6*7' } }
      expect((await signedIn.callTool(call)).content).toEqual([{ type: 'text', text: '42' }])
      await signedIn.close()
      const before = provider.tokens()
      provider.saveTokens({ ...before, access_token: 'e30.e30.e30', token_type: 'Bearer' })
      const renewed = client()
      await renewed.connect(transport())
      expect((await renewed.callTool(call)).content).toEqual([{ type: 'text', text: '42' }])
      await renewed.close()
      expect(provider.tokens()?.access_token).not.toBe(before?.access_token)
    },
  )
})

it('ftl login signs in, and the other commands use its token', { timeout: MINUTES }, async () => {
  const store = await mkdtemp(join(tmpdir(), 'ftl-auth-login-'))
  const env = { FTL_TOKEN_STORE: store, BROWSER: 'none' }
  try {
    const login = ftl(['login', server.resource, '--timeout', '60', '--no-browser'], { env })
    await login.printed(/http:\/\/127\.0\.0\.1:\d+\/auth\/authorize\?\S+/)
    const address =
      /http:\/\/127\.0\.0\.1:\d+\/auth\/authorize\?\S+/.exec(login.output())?.[0] ?? ''
    await fetch(await signInAt(new URL(address)))
    expect(await login.exited, login.output()).toBe(0)
    const call = ftl(['call', 'calculator', 'expression=6*7', '--url', server.resource], { env })
    expect(await call.exited, call.output()).toBe(0)
    expect(call.output()).toContain('42')
    const logout = ftl(['logout', server.resource], { env })
    expect(await logout.exited, logout.output()).toBe(0)
    expect(logout.output()).toContain('no further token can be got')
  } finally {
    await rm(store, { recursive: true })
  }
})

describe('an access token', () => {
  it('is one of RFC 9068 that a common library verifies by the published keys', async () => {
    const client = new HandClient(server)
    await client.register()
    const { body } = await client.redeem(
      await client.code({ scope: 'math unknown offline_access' }),
    )
    const keys = createRemoteJWKSet(new URL('/auth/keys', server.url))
    const { payload, protectedHeader } = await jwtVerify(String(body['access_token']), keys, {
      issuer: server.url,
      audience: server.resource,
      typ: 'at+jwt',
      algorithms: ['ES256'],
    })
    expect(protectedHeader.kid).toBeTypeOf('string')
    expect(payload).toMatchObject({
      sub: 'ada',
      client_id: client.id,
      scope: 'tools math',
      groups: ['operators'],
      preferred_username: 'ada',
    })
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(900)
    expect(await client.whoami(body['access_token'])).toMatchObject({
      status: 200,
      body: { user: 'ada', scopes: ['tools', 'math'] },
    })
  })

  it('for the endpoint of a component is valid there alone', async () => {
    const client = new HandClient(server)
    await client.register()
    const resource = `${server.resource}/x/calculator`
    const code = await client.code({ resource })
    const { body } = await client.redeem(code, { resource })
    expect((await client.whoami(body['access_token'])).status).toBe(401)
    const listed = await fetch(resource, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${String(body['access_token'])}`,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    })
    expect(await listed.text()).toContain('calculator')
  })
})
