// A shared cache between callers and the gateway: none gets what another one may see.
import { createHash, randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type RunningApplication, startHostile } from '../hostile/support/application.ts'
import { gatewayOver } from '../hostile/support/publisher.ts'
import { built } from '../hostile/support/wat.ts'
import { type CachingProxy, type CachingProxyOptions, startCachingProxy } from './caching-proxy.ts'

const newKey = () => `ftl_${randomBytes(32).toString('base64url')}`
const [ADA, EVE] = [newKey(), newKey()]
const entry = (key: string, principal: string) => ({
  sha256: createHash('sha256').update(key).digest('hex'),
  principal,
})

let keys: RunningApplication
let forwarded: RunningApplication
let proxy: CachingProxy

/** Ada may use the echo, and Eve nothing. */
const policy = (principal: string) =>
  JSON.stringify({ rules: [{ effect: 'allow', principals: [principal] }] })

beforeAll(async () => {
  const over = async (variables: Record<string, string>) =>
    startHostile({
      'mcp-gateway': await gatewayOver(['echo'], variables),
      echo: { wasm: await built('echo'), route: false },
    })
  keys = await over({
    api_keys: JSON.stringify([entry(ADA, 'ada'), entry(EVE, 'eve')]),
    policy: policy('key:ada'),
  })
  forwarded = await over({ trust_forwarded_user: 'without-secret', policy: policy('ada') })
})
afterEach(() => proxy.close())
afterAll(async () => {
  for (const host of [keys, forwarded]) await host.close()
})

async function startProxy(options: CachingProxyOptions): Promise<void> {
  proxy = await startCachingProxy(options)
}

const read = (path: string, headers: Record<string, string> = {}) =>
  fetch(proxy.url + path, { headers })
const PATHS = ['/tools', '/tools?format=mcp', '/openapi.json', '/tools/echo', '/health/components']

type Sent = Record<string, string>

const CALLERS: [how: string, host: () => RunningApplication, ada: Sent, eve: Sent][] = [
  ['keys', () => keys, { authorization: `Bearer ${ADA}` }, { authorization: `Bearer ${EVE}` }],
  [
    'a proxy that names users',
    () => forwarded,
    { 'x-forwarded-user': 'ada' },
    { 'x-forwarded-user': 'eve' },
  ],
]

const CACHES: [cache: string, ignores: CachingProxyOptions['ignores']][] = [
  ['by the letter', []],
  ['that ignores Authorization', ['authorization']],
  ['that ignores Authorization and Vary', ['authorization', 'vary']],
  ['that ignores Authorization and Cache-Control', ['authorization', 'cache-control']],
]

describe.each(CALLERS)('with %s', (_, host, ada, eve) => {
  test.each(CACHES)('a cache %s mixes no lists', async (_, ignores) => {
    await startProxy({ target: host().url, ...(ignores && { ignores }) })
    for (const path of PATHS) {
      expect(await (await read(path, ada)).text()).toContain('echo')
      const other = await read(path, eve)
      expect(await other.text(), path).not.toMatch(/"echo"|back the message/)
      const none = await read(path)
      expect(none.status).toBe(401)
      // Nor does Ada get what Eve got.
      expect(await (await read(path, ada)).text()).toContain('echo')
    }
  })

  test('a cache that ignores all of that would mix them', async () => {
    await startProxy({ target: host().url, ignores: ['authorization', 'cache-control', 'vary'] })
    await (await read('/tools', ada)).text()
    expect(await (await read('/tools', eve)).text()).toContain('echo')
    expect(proxy.hits).toBe(1)
  })
})
