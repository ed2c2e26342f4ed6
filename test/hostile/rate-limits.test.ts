// Limits of callers and addresses hold, whatever name a client gives itself and whatever a component reports about it.
import { createHash, randomBytes } from 'node:crypto'
import {
  Client as ClientV2,
  StreamableHTTPClientTransport as HttpV2,
} from '@modelcontextprotocol/client'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import type { HostOptions } from 'ftl-host'
import { type RunningApplication, startHostile } from './support/application.ts'
import { attack } from './support/attack.ts'
import { gatewayOver } from './support/publisher.ts'
import { built } from './support/wat.ts'

const KEY = `ftl_${randomBytes(32).toString('base64url')}`
const OTHER = `ftl_${randomBytes(32).toString('base64url')}`
const entry = (key: string, principal: string) => ({
  sha256: createHash('sha256').update(key).digest('hex'),
  principal,
  scopes: [],
})

let host: RunningApplication | undefined

async function start(options: Partial<HostOptions> = {}): Promise<RunningApplication> {
  host = await startHostile(
    {
      'mcp-gateway': await gatewayOver(['echo'], {
        api_keys: JSON.stringify([entry(KEY, 'ci'), entry(OTHER, 'other')]),
        policy: 'signed-in',
        allowed_origins: 'https://app.example',
      }),
      echo: { wasm: await built('echo'), route: false },
      forge: { wasm: await built('test/hostile/forge'), allowedHosts: ['http://*.spin.internal'] },
    },
    { workers: 1, ...options },
  )
  return host
}

afterEach(async () => {
  await host?.close()
  host = undefined
})

afterAll(() => host?.close())

interface Sending {
  from?: string
  token?: string
  path?: string
}

/** This machine is a trusted proxy, so a test can send as any address. */
async function send({
  from = '203.0.113.7',
  token,
  path = '/tools',
}: Sending = {}): Promise<Response> {
  const headers = new Headers({ 'x-forwarded-for': from })
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
  const response = await fetch(`${host?.url}${path}`, { headers })
  await response.clone().text()
  return response
}

async function statuses(
  count: number,
  sending: (i: number) => Sending,
): Promise<Record<number, number>> {
  const all = await Promise.all(
    Array.from({ length: count }, async (_, i) => (await send(sending(i))).status),
  )
  const counted: Record<number, number> = {}
  for (const status of all) counted[status] = (counted[status] ?? 0) + 1
  return counted
}

async function oneByOne(count: number, sending: Sending): Promise<Record<number, number>> {
  const counted: Record<number, number> = {}
  for (let i = 0; i < count; i++) {
    const { status } = await send(sending)
    counted[status] = (counted[status] ?? 0) + 1
  }
  return counted
}

const forged = () => `ftl_${randomBytes(32).toString('base64url')}`

describe('forged credentials', () => {
  attack('send 200 forged keys, each another one, from one address', async () => {
    await start()
    const began = performance.now()
    const counted = await statuses(100, () => ({ token: forged() }))
    const more = await statuses(100, () => ({ token: forged() }))
    // One more for each second that it took.
    const seconds = Math.ceil((performance.now() - began) / 1000)
    expect((counted[401] ?? 0) + (more[401] ?? 0)).toBeLessThanOrEqual(60 + seconds)
    expect(more[429]).toBeGreaterThanOrEqual(100 - seconds)
    // A caller with a good key at another address is served, and so is one that was known before.
    expect((await send({ token: KEY, from: '198.51.100.1' })).status).toBe(200)
    expect((await send({ token: KEY })).status).toBe(200)
    return `${more[429]} of the last 100 got 429`
  })

  attack('get another caller’s good credential refused by failing at its address', async () => {
    await start({ rateLimitFailures: '3/m' })
    expect((await send({ token: KEY })).status).toBe(200)
    await statuses(20, () => ({ token: forged() }))
    expect((await send({ token: KEY })).status).toBe(200)
    return 'a known credential is not counted'
  })
})

describe('a caller', () => {
  attack(
    'exceed the limit with another token of the same principal, from another address',
    async () => {
      await start({ rateLimit: '5/m' })
      await send({ token: KEY })
      const counted = await statuses(20, (i) => ({ token: KEY, from: `203.0.113.${i}` }))
      expect(counted[200]).toBeLessThanOrEqual(5)
      expect((await send({ token: OTHER, from: '198.51.100.1' })).status).toBe(200)
      return `${counted[429]} of 20 got 429`
    },
  )

  attack('exceed the limit of an address by the addresses of one IPv6 network', async () => {
    await start({ rateLimitAddress: '5/m' })
    const counted = await statuses(20, (i) => ({ from: `2001:db8::${i.toString(16)}`, token: KEY }))
    expect(counted[200]).toBe(5)
    expect((await send({ from: '2001:db8:0:1::1', token: KEY })).status).toBe(200)
    return `${counted[429]} of 20 got 429`
  })

  attack('exceed the limit by sending calls in lists', async () => {
    await start({ rateLimit: '20/m' })
    const list = Array.from({ length: 15 }, (_, id) => ({
      ...{ id: `${id}`, type: 'function' },
      function: { name: 'echo', arguments: '{"message":"x"}' },
    }))
    const post = () =>
      fetch(`${host?.url}/invoke`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${KEY}`,
          'x-forwarded-for': '203.0.113.7',
        },
        body: JSON.stringify(list),
      })
    await send({ token: KEY })
    expect((await post()).status).toBe(200)
    expect((await post()).status).toBe(200)
    expect((await post()).status).toBe(429)
    return '429 after 30 calls'
  })

  test('learns from the headers what is left, and when to come again', async () => {
    await start({ rateLimit: '2/m' })
    const first = await send()
    expect(first.headers.get('ratelimit-policy')).toBe('"caller";q=2;w=60')
    expect(first.headers.get('ratelimit')).toMatch(/^"caller";r=1;t=30$/)
    await send()
    const refused = await send()
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(25)
    expect(await refused.json()).toMatchObject({
      error: {
        code: 'rate_limited',
        message: expect.stringContaining('2 requests per minute') as string,
      },
    })
  })

  test('[completion.rate-limit] cannot ask for completions without end', async () => {
    await start({ rateLimit: '2/m' })
    const params = { ref: { type: 'ref/prompt', name: 'x' }, argument: { name: 'a', value: '' } }
    const complete = async () => {
      const { status } = await fetch(`${host?.url}/mcp`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2025-11-25',
          authorization: `Bearer ${KEY}`,
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'completion/complete', params }),
      })
      return status
    }
    // The first one counts for its address, because the gateway has not said yet whose it is.
    const statuses = [await complete(), await complete(), await complete(), await complete()]
    expect(statuses).toEqual([200, 200, 200, 429])
  })

  test('is not limited without an option, and gets no headers of limits', async () => {
    await start()
    const counted = await statuses(120, () => ({ token: KEY, from: '203.0.113.7' }))
    expect(counted).toEqual({ 200: 120 })
    expect((await send({ token: KEY })).headers.get('ratelimit')).toBeNull()
  })
})

describe('a component', () => {
  attack('a component names a caller, so that a forged key counts as good', async () => {
    await start({ rateLimitFailures: '3/m' })
    const token = forged()
    for (let i = 0; i < 3; i++) {
      const answer = await send({ token, path: '/forge/?ftl-authenticated=key:ci' })
      expect(answer.headers.get('ftl-authenticated')).toBeNull()
    }
    const counted = await oneByOne(10, { token })
    expect(counted[401]).toBeLessThanOrEqual(3)
    return `${counted[429]} of 10 got 429`
  })

  attack(
    'a component calls the gateway with a good key for a client that has a forged one',
    async () => {
      await start({ rateLimitFailures: '3/m' })
      const token = forged()
      const answer = await send({ token, path: `/forge/?key=${KEY}` })
      // The component does not learn who it is for the gateway, either.
      expect(answer.headers.get('x-called')).toBe('200 null')
      const counted = await oneByOne(10, { token })
      expect(counted[401]).toBeLessThanOrEqual(3)
      return `${counted[429]} of 10 got 429`
    },
  )

  attack(
    'a component uses up the limit of its client with an invented number of calls',
    async () => {
      await start({ rateLimit: '50/m' })
      await send({ token: KEY })
      await send({ token: KEY, path: '/forge/?ftl-calls=1000' })
      expect((await send({ token: KEY })).status).toBe(200)
      return 'the number was dropped'
    },
  )
})

describe('official clients get a message that can be read', () => {
  const MESSAGE = /Too many requests.*9 requests per minute.*Retry after \d+ s/

  /** Calls until the limit is reached. */
  async function callOften(client: { callTool(call: object): Promise<unknown> }): Promise<void> {
    for (let i = 0; i < 10; i++)
      await client.callTool({ name: 'echo', arguments: { message: 'x' } })
  }

  test('of version 1', async () => {
    const { url } = await start({ rateLimit: '9/m' })
    const client = new ClientV1({ name: 'test', version: '1' })
    const requestInit = { headers: { authorization: `Bearer ${KEY}` } }
    await client.connect(new HttpV1(new URL(`${url}/mcp`), { requestInit }))
    await expect(callOften(client)).rejects.toThrow(MESSAGE)
  })

  test.each(['legacy', 'auto'] as const)('of version 2, with the protocol %s', async (mode) => {
    const { url } = await start({ rateLimit: '9/m' })
    const client = new ClientV2({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
    const requestInit = { headers: { authorization: `Bearer ${KEY}` } }
    await client.connect(new HttpV2(new URL(`${url}/mcp`), { requestInit }))
    await expect(callOften(client as never)).rejects.toThrow(MESSAGE)
  })
})

describe('a page of another origin', () => {
  const ask = (origin: string, init: RequestInit = {}) =>
    fetch(`${host?.url}/tools`, {
      ...init,
      headers: {
        'x-forwarded-for': '203.0.113.9',
        origin,
        ...(init.headers as Record<string, string>),
      },
    })
  const preflight = (origin: string) =>
    ask(origin, {
      method: 'OPTIONS',
      headers: {
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,mcp-protocol-version',
      },
    })

  test('that is allowed can read a 429, and one that is not cannot', async () => {
    await start({ rateLimitAddress: '1/h', burst: 1, trustedProxies: ['127.0.0.1'] })
    const first = await ask('https://app.example')
    expect(first.status).toBe(401)
    expect(first.headers.get('access-control-expose-headers')).toContain('RateLimit')
    const refused = await ask('https://app.example')
    expect(refused.status).toBe(429)
    const readable = {
      'access-control-allow-origin': 'https://app.example',
      'access-control-expose-headers': 'Retry-After, RateLimit, RateLimit-Policy',
      vary: 'Origin',
    }
    expect(Object.fromEntries(refused.headers)).toMatchObject(readable)
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(refused.headers.get('ratelimit')).toContain('"address"')
    for (const origin of ['https://evil.example', 'https://app.example.evil.example', 'null']) {
      const other = await ask(origin)
      expect(other.status).toBe(429)
      expect(other.headers.has('access-control-allow-origin')).toBe(false)
      expect(other.headers.get('vary')).toBe('Origin')
    }
  })

  test('that is allowed gets its preflight also beyond the limit, so that its browser sends the request', async () => {
    await start({ rateLimitAddress: '1/h', burst: 1, trustedProxies: ['127.0.0.1'] })
    await ask('https://app.example')
    const answer = await preflight('https://app.example')
    expect(answer.status).toBe(204)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'access-control-allow-origin': 'https://app.example',
      'access-control-allow-headers': 'authorization,mcp-protocol-version',
      'access-control-max-age': '0',
    })
    expect((await preflight('https://evil.example')).status).toBe(429)
  })
})
