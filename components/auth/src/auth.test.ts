// Parts of the authorization server that need no host.
import fc from 'fast-check'
import { memoryPlatform } from 'ftl-platform/memory'
import { describe, expect, it } from 'vitest'
import { answer } from './app.ts'
import { documentAddress } from './clients/metadata-document.ts'
import { mayRedirect, redirectProblem } from './clients/redirect-uri.ts'
import { UNUSED_SECONDS } from './clients/registration.ts'
import { createSealer } from './crypto/seal.ts'
import { AHEAD_MS, KEY_MS, needsKey, signingKey, TOKEN_MS, usableKeys } from './token/key-plan.ts'
import { countAttempt, MOST_OF_ADDRESS, WINDOW_MS } from './users/throttle.ts'
import { createVault } from './vault.ts'

const KEY = 'a secret of at least 32 characters'
const sealer = createSealer(KEY)
const variables = {
  auth_server_url: 'https://gateway.example',
  auth_server_key: KEY,
  allowed_hosts: 'gateway.example',
}

describe('a sealed value', () => {
  it('is opened for its purpose and place alone, and only as it was', async () => {
    const text = await sealer.seal('code', { a: 1 }, 'here')
    expect(await sealer.open('code', text, 'here')).toEqual({ a: 1 })
    expect(await sealer.open('refresh', text, 'here')).toBeUndefined()
    expect(await sealer.open('code', text, 'there')).toBeUndefined()
    expect(await createSealer(`${KEY}!`).open('code', text, 'here')).toBeUndefined()
    const other = text[20] === 'A' ? 'B' : 'A'
    expect(
      await sealer.open('code', text.slice(0, 20) + other + text.slice(21), 'here'),
    ).toBeUndefined()
  })

  it('is not any text of a stranger', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ maxLength: 200 }), async (text) => {
        expect(await sealer.open('client', text)).toBeUndefined()
      }),
    )
  })
})

describe('an address to return to', () => {
  it('with anything before or after the registered one is refused', () => {
    const registered = 'https://client.example/callback'
    fc.assert(
      fc.property(fc.string({ maxLength: 20 }), fc.string({ maxLength: 20 }), (before, after) => {
        fc.pre(before + after !== '')
        expect(mayRedirect([registered], before + registered + after)).toBe(false)
      }),
    )
  })

  it('of a program has its own scheme, and none that a browser runs', () => {
    for (const uri of ['cursor://anysphere/callback', 'com.example.app:/callback'])
      expect(redirectProblem(uri), uri).toBeUndefined()
    for (const uri of [
      'javascript:1',
      'data:x',
      'file:///x',
      'intent://x',
      'unknown://x',
      'blob:https://x/',
    ])
      expect(redirectProblem(uri), uri).toBeDefined()
  })
})

describe('a document that describes a client', () => {
  it.each([
    'https://10.0.0.1/c',
    'https://[::1]/c',
    'https://localhost/c',
    'https://intern/c',
    'https://db.internal/c',
    'https://auth.spin.internal/c',
    'https://client.example:8443/c',
    'https://client.example/',
    'https://u:p@client.example/c',
    'https://client.example/c#x',
    'https://client.example/a/../c',
    'https://0x7f000001/c',
    'http://client.example/c',
  ])('is not requested from %s', (id) => {
    expect(documentAddress(id)).toBeUndefined()
  })

  const id = 'https://client.example/c.json'
  const document = {
    client_id: id,
    client_name: 'Client',
    redirect_uris: ['https://client.example/back'],
  }
  const ask = async (response: () => Response) => {
    const platform = memoryPlatform({ variables, fetch: async () => response() })
    const address = new URL('https://gateway.example/auth/authorize')
    const parameters = {
      ...{ client_id: id, redirect_uri: 'https://client.example/back', response_type: 'code' },
      ...{ code_challenge: 'a'.repeat(43), code_challenge_method: 'S256' },
    }
    for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value)
    const answered = await answer(new Request(address), platform)
    return { status: answered.status, page: await answered.text() }
  }

  it('is what the user is asked about, with its host', async () => {
    const { status, page } = await ask(() => Response.json(document))
    expect(status).toBe(200)
    expect(page).toContain('Described by')
    expect(page).toContain('client.example')
  })

  it.each([
    ['of another client', () => Response.json({ ...document, client_id: `${id}x` })],
    [
      'that leads elsewhere',
      () => new Response(null, { status: 302, headers: { location: 'https://x.example/' } }),
    ],
    ['that is too long', () => Response.json({ ...document, more: 'x'.repeat(20_000) })],
    [
      'of a client with a secret',
      () => Response.json({ ...document, token_endpoint_auth_method: 'client_secret_post' }),
    ],
    [
      'without the address of the request',
      () => Response.json({ ...document, redirect_uris: ['https://client.example/'] }),
    ],
  ])('%s is refused', async (_, response) => {
    expect((await ask(response)).status).toBe(400)
  })
})

it('a registration that no user has allowed expires, and takes no room before', async () => {
  let now = Date.UTC(2026, 0, 1)
  const platform = memoryPlatform({ variables, now: () => now })
  const registered = await answer(
    new Request('https://gateway.example/auth/register', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: ['https://client.example/back'] }),
    }),
    platform,
  )
  const { client_id: id } = (await registered.json()) as { client_id: string }
  expect(await (await platform.openKeyValue('default')).keys()).toEqual([])
  const page = async () => {
    const query = new URLSearchParams({ client_id: id })
    return (
      await answer(
        new Request(`https://gateway.example/auth/authorize?${query.toString()}`),
        platform,
      )
    ).text()
  }
  expect(await page()).toContain('response_type')
  now += UNUSED_SECONDS * 1000
  expect(await page()).toContain('may have expired')
})

it('attempts of one address end, and those of another address go on', async () => {
  const store = memoryPlatform({ conditionalWrites: true })
  const vault = createVault(() => store.openKeyValue('default'), sealer)
  const attempt = (address: string, now = 1_000) =>
    countAttempt(vault, now, { user: 'ada', address })
  for (let time = 0; time < MOST_OF_ADDRESS; time++)
    expect((await attempt('192.0.2.1')).isAllowed).toBe(true)
  expect(await attempt('192.0.2.1')).toEqual({ isAllowed: false, retryAfter: WINDOW_MS / 1000 })
  expect((await attempt('192.0.2.2')).isAllowed).toBe(true)
  expect((await attempt('192.0.2.1', 1_000 + WINDOW_MS)).isAllowed).toBe(true)
})

describe('a signing key', () => {
  const key = (kid: string, created: number) => ({ kid, created, jwk: {} })
  const start = Date.UTC(2026, 0, 1)

  it('is published before it signs, and as long as one of its tokens is valid', () => {
    const old = key('old', start)
    expect(needsKey([old], start + KEY_MS - AHEAD_MS - 1)).toBe(false)
    const made = start + KEY_MS - AHEAD_MS
    expect(needsKey([old], made)).toBe(true)
    const both = [old, key('new', made)]
    expect(signingKey(both, made + AHEAD_MS - 1)?.kid).toBe('old')
    const changes = made + AHEAD_MS
    expect(signingKey(both, changes)?.kid).toBe('new')
    expect(usableKeys(both, changes + TOKEN_MS).map(({ kid }) => kid)).toContain('old')
    expect(usableKeys(both, changes + KEY_MS).map(({ kid }) => kid)).toEqual(['new'])
  })

  it('is made at once if there is none', () => {
    expect(needsKey([], start)).toBe(true)
    expect(signingKey([key('first', start)], start)?.kid).toBe('first')
  })
})
