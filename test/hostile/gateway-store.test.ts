// One component, or one caller, that fills the store of the gateway takes nothing from the others.
import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AUDIENCE, ISSUER, JWKS, tokenWith } from '../../gateway/src/testing/issuer.ts'
import { type RunningApplication, startHostile } from './support/application.ts'
import { attack } from './support/attack.ts'
import { gatewayOver } from './support/publisher.ts'
import { built } from './support/wat.ts'

const MIB = 1024 ** 2
/** Small, so that a few results fill it; the gateway gives out half. */
const STORE_BYTES = 24 * MIB
/** More than the whole store takes. */
const MORE_THAN_FIT = 32
const DAY_MS = 86_400_000

const MALLORY = `ftl_${randomBytes(32).toString('base64url')}`
const ADA = `ftl_${randomBytes(32).toString('base64url')}`
const entry = (key: string, principal: string) => ({
  sha256: createHash('sha256').update(key).digest('hex'),
  principal,
  scopes: [],
})

let app: RunningApplication

async function start(): Promise<RunningApplication> {
  const hoard = await built('test/hostile/hoard')
  return startHostile(
    {
      'mcp-gateway': await gatewayOver(['hoard', 'images', 'echo', 'code'], {
        api_keys: JSON.stringify([entry(MALLORY, 'mallory'), entry(ADA, 'ada')]),
        auth_issuers: JSON.stringify([{ issuer: ISSUER, jwks: JWKS }]),
        auth_audience: AUDIENCE,
        policy: JSON.stringify({
          rules: [{ effect: 'ask', tools: ['echo'] }, { effect: 'allow' }],
        }),
      }),
      hoard: { wasm: hoard, route: false },
      images: { wasm: hoard, route: false },
      echo: { wasm: await built('echo'), route: false },
      code: {
        wasm: await built('test/code/code'),
        route: false,
        allowedHosts: ['http://mcp-gateway.spin.internal'],
      },
    },
    { maxStoreBytes: STORE_BYTES },
  )
}

interface Answer {
  status: number
  headers: Headers
  body: {
    error?: {
      code: string
      message: string
      retryAfterSeconds?: number
      approval?: { token: string }
    }
    jobs?: { id: string; component: string; expiresAt: string }[]
  }
}

async function send(
  path: string,
  token: string,
  sent?: object,
  more: object = {},
): Promise<Answer> {
  const response = await fetch(`${app.url}${path}`, {
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...more },
    ...(sent && { method: 'POST', body: JSON.stringify(sent) }),
  })
  const body = (await response.json()) as Answer['body']
  return { status: response.status, headers: response.headers, body }
}

const invoke = (token: string, tool: string, params: object = {}, more: object = {}) =>
  send('/invoke', token, { tool, params }, { prefer: 'respond-async', ...more })

/** Starts jobs with results of this length until one is refused. */
async function fill(token: string, tool: string, characters: number) {
  for (let kept = 0; kept < MORE_THAN_FIT; kept++) {
    const answer = await invoke(token, tool, { characters })
    if (answer.status >= 400) return { kept, refusal: answer }
  }
  return { kept: MORE_THAN_FIT, refusal: undefined }
}

/** Takes what is left, to the last byte. */
async function fillUp(token: string, tool: string): Promise<void> {
  for (const characters of [100_000, 10_000, 1000, 1]) await fill(token, tool, characters)
}

/** A job that the gateway has kept: it is listed with its record. */
async function keepsJob(token: string): Promise<void> {
  expect((await invoke(token, 'images__hoard', { characters: 5000 })).status).toBeLessThan(300)
  const { body } = await send('/jobs?component=images', token)
  expect(body.jobs?.[0]).toMatchObject({ component: 'images', status: 'completed' })
}

/** The caller and its token are new to the gateway, so it has to verify the token, and stores the verdict. */
async function acceptsToken(): Promise<void> {
  const token = tokenWith({ claims: { sub: randomBytes(8).toString('hex') } })
  expect((await send('/tools', token)).status).toBe(200)
}

describe('jobs with results of 890,000 characters, of one component', () => {
  let filled: Awaited<ReturnType<typeof fill>>
  beforeAll(async () => {
    app = await start()
    filled = await fill(MALLORY, 'hoard', 890_000)
    await fillUp(MALLORY, 'hoard')
  }, 120_000)
  afterAll(() => app.close())

  attack('a component fills the store of the gateway with results of jobs', async () => {
    const { kept, refusal } = filled
    expect(refusal).toMatchObject({ status: 507, body: { error: { code: 'store_full' } } })
    const { message, retryAfterSeconds } = refusal?.body.error ?? { message: '' }
    expect(message).toMatch(/^The gateway's store has no space left for your jobs of "hoard"\./)
    expect(message).toContain('store_bytes')
    expect(Number(refusal?.headers.get('retry-after'))).toBe(retryAfterSeconds)
    expect(kept).toBeGreaterThan(1)
    return `${refusal?.status} ${refusal?.body.error?.code}`
  })

  test('a client of MCP learns the same as text', async () => {
    const params = { name: 'hoard', arguments: {} }
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
    const { body } = await send('/mcp', MALLORY, call, {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
    })
    expect(body).toMatchObject({
      result: {
        isError: true,
        content: [{ text: expect.stringContaining('no space left for your jobs') as string }],
      },
    })
  })

  test('another component starts jobs, and gives their results', async () => {
    await keepsJob(ADA)
    await keepsJob(MALLORY)
  })

  test('another caller of the same component has a share', async () => {
    expect((await invoke(ADA, 'hoard')).status).toBeLessThan(300)
  })

  test('new tokens, API keys, lists and searches work', async () => {
    for (let i = 0; i < 3; i++) await acceptsToken()
    expect((await send('/tools', ADA)).status).toBe(200)
    expect((await send('/health/components', ADA)).status).toBe(200)
    expect((await send('/tools?query=hoard', ADA)).status).toBe(200)
  })

  attack('an approval is used twice while the store is full', async () => {
    const params = { message: 'x' }
    const asked = await invoke(ADA, 'echo', params)
    const token = asked.body.error?.approval?.token
    expect(asked.status).toBe(403)
    const uses = []
    for (let i = 0; i < 2; i++) {
      uses.push((await invoke(ADA, 'echo', params, { 'ftl-approval': token })).status)
    }
    expect(uses).toEqual([200, 403])
    return '403'
  })

  attack('a component asks that its jobs be kept for 900 days', async () => {
    const { body } = await send('/jobs?component=hoard', MALLORY)
    const left = Date.parse(body.jobs?.[0]?.expiresAt ?? '') - Date.now()
    expect(left).toBeGreaterThan(6 * DAY_MS)
    expect(left).toBeLessThanOrEqual(7 * DAY_MS)
    return 'kept for 7 days (job_ttl_ms)'
  })
})

describe('results that come after the jobs have begun', () => {
  beforeAll(async () => void (app = await start()), 60_000)
  afterAll(() => app.close())

  attack('a component starts short jobs, and then returns long results', async () => {
    for (let i = 0; i < MORE_THAN_FIT; i++) {
      expect((await invoke(MALLORY, 'hoard', { later: true })).status).toBe(202)
    }
    const { body } = await send('/jobs?limit=100', MALLORY)
    const ends = await Promise.all(
      (body.jobs ?? []).map(async ({ id }) =>
        JSON.stringify((await send(`/jobs/${id}`, MALLORY)).body),
      ),
    )
    const refused = ends.filter((end) => end.includes('store_full'))
    expect(ends).toHaveLength(MORE_THAN_FIT)
    expect(refused.length).toBeGreaterThan(0)
    expect(refused.length).toBeLessThan(MORE_THAN_FIT)
    await acceptsToken()
    await keepsJob(ADA)
    return 'failed job: store_full'
  })
})

describe('long results of programs', () => {
  beforeAll(async () => void (app = await start()), 60_000)
  afterAll(() => app.close())

  attack('a caller runs programs whose results of 3 MB fill the store', async () => {
    const code = 'return "x".repeat(3_000_000)'
    for (let i = 0; i < 10; i++) {
      expect((await invoke(MALLORY, 'run_code', { code })).status).toBe(200)
    }
    await fillUp(MALLORY, 'hoard')
    await acceptsToken()
    await keepsJob(ADA)
    return 'its oldest result makes room'
  })
})
