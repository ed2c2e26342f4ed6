// A gateway with 2,000 tools on the real host: what clients see, what a request asks of the host, and how long it takes.
import { createHash, randomBytes } from 'node:crypto'
import { dirname, join } from 'node:path'
import { type Host, startHost } from 'ftl-host'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startHost as startSandboxed } from '../../host/src/index.ts'
import { type Connect, connectV1, connectV2 } from '../contract/clients/sdk-clients.ts'
import { ALL, ask, LEGACY } from '../contract/mcp/client.ts'
import { EXTERNAL_URL } from '../support/application.ts'
import { embeddedOnly } from '../support/embedded-only.ts'
import { GUEST_CALLS_HOOK } from '../support/guest-calls-hook.ts'
import { recordGuestCalls } from '../support/guest-calls.ts'
import { MANIFESTS } from '../support/manifests.ts'
import { median } from '../../bench/statistics.ts'

let host: { url: string; close(): Promise<void> }
const search = (query: string, url = host.url) =>
  ask(url, 'tools/call', { name: 'search_tools', arguments: { query } })

/** The index is made after the answer to the first list. */
const indexed = (url: string) =>
  vi.waitFor(
    async () => {
      const { result } = await search('invoice', url)
      expect(result['structuredContent']).toMatchObject({ matches: 50 })
    },
    { timeout: 60_000, interval: 500 },
  )

const start = (env: Record<string, string> = {}, startThis = startHost) =>
  startThis({
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
  await indexed(host.url)
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

const VISIBLE = ['search_tools', 'describe_tools', 'use_tool', 'archive_invoice_workspace_7']
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
      const through = await call('use_tool', { name: HIDDEN, arguments: args })
      expect(JSON.stringify(through.content)).toContain(HIDDEN)
      expect((await call(HIDDEN, args)).content).toEqual(through.content)
    } finally {
      await client.close()
    }
  })

  it(
    'a list reads one entry, a search two, and a call of a tool two',
    { ...embeddedOnly('records the calls of guests'), timeout: 120_000 },
    async () => {
      // A gateway beside the components is no guest.
      const sandboxed = await start({}, startSandboxed)
      const { url } = sandboxed
      const reads = async (work: () => Promise<unknown>) =>
        (await recordGuestCalls(work)).filter(({ call }) => /key-value.*#get|store\.get/.test(call))
          .length
      try {
        await ask(url, 'tools/list')
        await indexed(url)
        expect(await reads(() => ask(url, 'tools/list'))).toBe(1)
        expect(await reads(() => search('refund an order', url))).toBe(2)
        const params = { name: HIDDEN, arguments: { coupon_id: '1' } }
        // The one that names the parts of the catalog, and the part that has the tool.
        expect(await reads(() => ask(url, 'tools/call', params))).toBe(2)
      } finally {
        await sandboxed.close()
      }
    },
  )

  it(
    'a list and a search take less than the list of all',
    embeddedOnly('compares times of the embedded host'),
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
      const took = (name: string) => median(times[name] ?? [])
      expect(took('list') * 4).toBeLessThan(took('all'))
      expect(took('search') * 1.5).toBeLessThan(took('all'))
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

  const post = async (path: string, method: string, params: object = {}, url = guarded.url) => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${KEY}` },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    return response.text()
  }
  const find = (path: string, query: string, url = guarded.url) =>
    post(path, 'tools/call', { name: 'search_tools', arguments: { query, limit: 50 } }, url)

  it('a list and a search decide nothing again, also at the address of a component', async () => {
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
        ['list without policy', () => post('/mcp', 'tools/list', {}, host.url)],
        ['search without policy', () => find('/mcp', 'archive the report of my team', host.url)],
      ] as const) {
        const begin = performance.now()
        const answer = await work()
        times[name] = [...(times[name] ?? []), performance.now() - begin]
        expect(answer).toContain(name.startsWith('list') ? 'search_tools' : 'archive_report_team')
      }
    }
    // To decide takes longer than all else that a list does.
    const took = (name: string) => median(times[name] ?? [])
    const [list, search] = [took('list without policy'), took('search without policy')]
    console.log(Object.fromEntries(Object.keys(times).map((name) => [name, took(name).toFixed(1)])))
    for (const name of ['list', 'list of one']) expect(took(name), name).toBeLessThan(2 * list)
    for (const name of ['search', 'search of one'])
      expect(took(name), name).toBeLessThan(2 * search)
  }, 120_000)
})
