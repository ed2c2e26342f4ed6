// Renewal where the store cannot compare, as on Spin, and while the authorization server is down.
import { memoryPlatform } from 'ftl-platform/memory'
import { describe, expect, it } from 'vitest'
import { type Consents, type ConsentServer, ownerOf } from './consents.ts'
import { openEntries } from './entries.ts'
import type { Grant } from './flow.ts'
import { openSealer } from './seal.ts'
import { SignInNeeded, tokenFor } from './tokens.ts'

const ISSUER = 'https://login.example'
const SERVER: ConsentServer = {
  name: 'tracker',
  url: 'https://mcp.example/mcp',
  headers: {},
  denied: [],
  prefix: '',
  timeoutMs: 1000,
  ttlMs: 1000,
  auth: {},
}

/** An authorization server whose refresh tokens can be used once. */
function world(
  answer: 'rotates' | 'down' | 'refuses' | 'refuses as Dex',
  leftMs: number,
  conditionalWrites = false,
) {
  let current = 'refresh-0'
  let renewed = 0
  const platform = memoryPlatform({
    conditionalWrites,
    async fetch(input, init) {
      if (answer === 'down') return new Response('down', { status: 503 })
      const used = new URLSearchParams(await new Request(input, init).text()).get('refresh_token')
      if (answer === 'refuses as Dex') {
        return Response.json({ error: 'invalid_request' }, { status: 400 })
      }
      if (answer === 'refuses' || used !== current) {
        return Response.json({ error: 'invalid_grant' }, { status: 400 })
      }
      current = `refresh-${++renewed}`
      const tokens = { access_token: `access-${renewed}`, refresh_token: current }
      return Response.json({ ...tokens, token_type: 'Bearer', expires_in: 3600 })
    },
  })
  const sealer = openSealer('a key of at least 32 characters..')
  const entries = openEntries(platform, 'remote', sealer)
  const consents: Consents = {
    sealer,
    entries,
    address: 'https://gateway.example/connect',
    platform,
  }
  const owner = ownerOf(SERVER, 'ann')
  const grant: Grant = {
    as: { issuer: ISSUER, token_endpoint: `${ISSUER}/token` },
    client: { id: 'ftl' },
    resource: SERVER.url,
    tokens: { accessToken: 'access-0', refreshToken: 'refresh-0', expiresAt: Date.now() + leftMs },
    signedInAt: Date.now(),
  }
  return {
    begin: () => entries.put('grant', owner, grant),
    token: (refused?: string) =>
      tokenFor(consents, SERVER, 'ann', {
        waitMs: 5000,
        ...(refused !== undefined && { refused }),
      }),
    renewed: () => renewed,
    isSignedIn: async () => (await entries.get('grant', owner)) !== undefined,
  }
}

describe('a token', () => {
  it('that is valid for longer is used as it is', async () => {
    const { begin, token, renewed } = world('rotates', 60_000)
    await begin()
    expect(await token()).toBe('access-0')
    expect(renewed()).toBe(0)
  })

  it.each([
    ['compares', true],
    ['cannot compare', false],
  ])('that ends is renewed, and all calls get the new one: the store %s', async (_, compares) => {
    const { begin, token, renewed, isSignedIn } = world('rotates', 1000, compares)
    await begin()
    const calls = Array.from({ length: 5 }, () => token())
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['access-1']))
    expect(renewed()).toBe(1)
    expect(await isSignedIn()).toBe(true)
  })

  it('that ends is used until then while the authorization server is down', async () => {
    const { begin, token, isSignedIn } = world('down', 20_000)
    await begin()
    expect(await token()).toBe('access-0')
    await expect(token('access-0')).rejects.toThrow('cannot be renewed now')
    expect(await isSignedIn()).toBe(true)
  })

  it('that Dex or Hydra do not renew needs a sign-in, and is kept', async () => {
    const { begin, token, isSignedIn } = world('refuses as Dex', 0)
    await begin()
    await expect(token()).rejects.toThrow(SignInNeeded)
    expect(await isSignedIn()).toBe(true)
  })

  it('that cannot be renewed any more needs a sign-in', async () => {
    const { begin, token, isSignedIn } = world('refuses', -1000)
    await begin()
    await expect(token()).rejects.toThrow(SignInNeeded)
    expect(await isSignedIn()).toBe(false)
  })
})
