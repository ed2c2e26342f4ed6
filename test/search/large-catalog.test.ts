// A gateway with 2,000 tools on the real host: what clients see, what a request asks of the host, and how long it takes.
import { createHash, randomBytes } from 'node:crypto'
import { dirname, join } from 'node:path'
import { type Host, startHost } from 'ftl-host'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Connect, connectV1, connectV2 } from '../contract/clients/sdk-clients.ts'
import { ALL, ask, LEGACY } from '../contract/mcp/client.ts'
import { EXTERNAL_URL } from '../support/application.ts'
import { embeddedOnly } from '../support/embedded-only.ts'
import { GUEST_CALLS_HOOK } from '../support/guest-calls-hook.ts'
import { recordGuestCalls } from '../support/guest-calls.ts'
import { MANIFESTS } from '../support/manifests.ts'

let host: { url: string; close(): Promise<void> }
const search = (query: string) =>
  ask(host.url, 'tools/call', { name: 'search_tools', arguments: { query } })

const start = (env: Record<string, string> = {}) =>
  startHost({
    manifest: MANIFESTS.search,
    listen: '127.0.0.1:0',
    stateDir: '',
    cacheDir: join(dirname(MANIFESTS.application), '.ftl', 'cache'),
    env,
    workerImports: [GUEST_CALLS_HOOK],
  })

beforeAll(async () => {
  host =
    EXTERNAL_URL === undefined
      ? await start()
      : { url: EXTERNAL_URL, close: () => Promise.resolve() }
  await ask(host.url, 'tools/list')
  // The index is made after the answer to the first list.
  await vi.waitFor(
    async () => {
      const { result } = await search('invoice')
      expect(result['structuredContent']).toMatchObject({ matches: 50 })
    },
    { timeout: 60_000, interval: 500 },
  )
}, 120_000)
afterAll(() => host?.close())

async function listAll(): Promise<string> {
  const response = await fetch(`${host.url}/mcp?tools=all`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
  })
  return response.text()
}

const VISIBLE = ['search_tools', 'describe_tools', 'call_tool', 'archive_invoice_workspace_7']
const HIDDEN = 'search_coupon_region_1595'

describe('with 2,000 tools', () => {
  it.each(ALL)('a client of revision %s gets the tools that find the others', async (revision) => {
    const { result } = await ask(host.url, 'tools/list', {}, { revision })
    const tools = result['tools'] as { name: string }[]
    expect(tools.map(({ name }) => name)).toEqual(VISIBLE)
  })

  it.each([
    ['SDK v1', connectV1],
    ['SDK v2', connectV2()],
    ['SDK v2, newest revision', connectV2('auto')],
  ] as [string, Connect][])('%s searches, describes and calls', async (_, connect) => {
    const { client, call } = await connect(`${host.url}/mcp`)
    try {
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(VISIBLE)
      const found = await call('search_tools', { query: 'which coupon of the region' })
      expect(JSON.stringify(found.content)).toContain('coupon_region')
      const described = await call('describe_tools', { names: [HIDDEN] })
      expect(JSON.stringify(described.content)).toContain('coupon_id: string')
      const args = { coupon_id: '7' }
      const through = await call('call_tool', { name: HIDDEN, arguments: args })
      expect(JSON.stringify(through.content)).toContain(HIDDEN)
      expect((await call(HIDDEN, args)).content).toEqual(through.content)
    } finally {
      await client.close()
    }
  })

  it(
    'a list reads one entry, a search two, and a call of a tool one',
    embeddedOnly('records the calls of guests'),
    async () => {
      const reads = async (work: () => Promise<unknown>) =>
        (await recordGuestCalls(work)).filter(({ call }) => /key-value.*#get|store\.get/.test(call))
          .length
      expect(await reads(() => ask(host.url, 'tools/list'))).toBe(1)
      expect(await reads(() => search('refund an order'))).toBe(2)
      expect(
        await reads(() =>
          ask(host.url, 'tools/call', { name: HIDDEN, arguments: { coupon_id: '1' } }),
        ),
      ).toBe(1)
    },
  )

  it(
    'a list takes less than 10 ms and a search less than 15, and both less than the list of all',
    embeddedOnly('states times of the embedded host'),
    async () => {
      const times: Record<string, number[]> = { list: [], search: [], all: [] }
      const timed = async (name: string, work: () => Promise<unknown>) => {
        const start = performance.now()
        await work()
        times[name]?.push(performance.now() - start)
      }
      // In turns, so that whatever else the machine does slows all of them down.
      for (let turn = 0; turn < 30; turn++) {
        await timed('list', () => ask(host.url, 'tools/list', {}, { revision: LEGACY[0] }))
        await timed('search', () => search('archive the report of my team'))
        await timed('all', listAll)
      }
      const at = (name: string, share: number) => {
        const sorted = times[name]?.toSorted((a, b) => a - b) ?? []
        return sorted[Math.floor(sorted.length * share)] as number
      }
      // The fastest tenth: on a busy machine the median says more about the other programs.
      expect(at('list', 0.1)).toBeLessThan(10)
      expect(at('search', 0.1)).toBeLessThan(15)
      expect(at('list', 0.5) * 4).toBeLessThan(at('all', 0.5))
      expect(at('search', 0.5) * 1.5).toBeLessThan(at('all', 0.5))
    },
  )
})

const KEY = `ftl_${randomBytes(32).toString('base64url')}`

/** 20 rules: to decide about 2,000 tools by them takes longer than all else that a list does. */
const RULES = [
  ...Array.from({ length: 18 }, (_, number) => ({
    effect: 'deny',
    tools: [`*_refund_*_${number}9*`, `nothing_${number}_*`],
  })),
  { effect: 'deny', annotations: { readOnlyHint: true }, components: ['many-fourth'] },
  { effect: 'allow' },
]

describe('with a policy of 20 rules', embeddedOnly('measures the embedded host'), () => {
  let guarded: Host
  beforeAll(async () => {
    const sha256 = createHash('sha256').update(KEY).digest('hex')
    guarded = await start({
      SPIN_VARIABLE_API_KEYS: JSON.stringify([{ sha256, principal: 'ci' }]),
      SPIN_VARIABLE_POLICY: JSON.stringify({ rules: RULES }),
    })
  }, 60_000)
  afterAll(() => guarded?.close())

  const post = async (path: string, method: string, params: object = {}) => {
    const response = await fetch(guarded.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${KEY}` },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    return response.text()
  }
  const find = (path: string, query: string) =>
    post(path, 'tools/call', { name: 'search_tools', arguments: { query, limit: 50 } })

  it('a list takes less than 10 ms and a search less than 15, also at the address of a component', async () => {
    // The first list decides, and makes the index; what it found is stored after the answer.
    await post('/mcp', 'tools/list')
    const first = await vi.waitFor(
      async () => {
        const answer = await find('/mcp', 'coupon')
        expect(answer).toContain('coupon')
        return answer
      },
      { timeout: 60_000, interval: 500 },
    )
    // Of 50 tools 20 are of many-fourth, and six of those only read.
    expect(first).toContain('"matches":44')
    expect(await find('/mcp', 'search coupon region')).not.toContain(HIDDEN)
    await post('/mcp/x/many-second', 'tools/list')
    await find('/mcp/x/many-second', 'coupon')
    const times: Record<string, number[]> = {}
    for (let turn = 0; turn < 20; turn++) {
      for (const [name, work] of [
        ['list', () => post('/mcp', 'tools/list')],
        ['search', () => find('/mcp', 'archive the report of my team')],
        ['list of one', () => post('/mcp/x/many-second', 'tools/list')],
        ['search of one', () => find('/mcp/x/many-second', 'archive the report of my team')],
      ] as const) {
        const begin = performance.now()
        const answer = await work()
        times[name] = [...(times[name] ?? []), performance.now() - begin]
        expect(answer).toContain(name.startsWith('list') ? 'search_tools' : 'archive_report_team')
      }
    }
    // The fastest tenth, as above.
    const fast = (name: string) => times[name]?.toSorted((a, b) => a - b)[2]
    expect(fast('list')).toBeLessThan(10)
    expect(fast('list of one')).toBeLessThan(10)
    expect(fast('search')).toBeLessThan(15)
    expect(fast('search of one')).toBeLessThan(15)
  }, 120_000)
})
