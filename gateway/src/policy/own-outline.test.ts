import fc from 'fast-check'
import type { ToolDescription } from 'ftl-contract'
import { describe, expect, it } from 'vitest'
import type { Rule } from './policy.ts'
import { type AuthenticatedWorld, authenticatedWorld, BOTH } from '../testing/authenticated.ts'
import { several, tool } from '../testing/components.ts'
import { tokenWith } from '../testing/issuer.ts'

const CATALOG = 'catalog:v3'
const LISTS = 'tool-list:v1:'

const described = (name: string, number: number, readOnlyHint: boolean): ToolDescription => ({
  ...tool(name, { path: { type: 'string' } }),
  description: `Opens door ${number} of the ${number % 2 === 0 ? 'red' : 'blue'} house. ${'x'.repeat(4_000)}`,
  annotations: { readOnlyHint },
  ...(number % 7 === 0 && { _meta: { 'ftl/alwaysVisible': true } }),
})

/** Both have `t0`, and one a name of the gateway's own and one that begins like a name after a clash. */
const COMPONENTS = {
  shop: [
    ...Array.from({ length: 40 }, (_, at) => described(`t${at}`, at, at % 3 === 0)),
    described('search_tools', 41, true),
  ],
  other: [
    ...Array.from({ length: 35 }, (_, at) => described(`${at < 2 ? 't' : 'u'}${at}`, at, false)),
    described('shop__t1', 50, false),
    described('call_tool', 51, true),
  ],
}

function guarded(rules: readonly Rule[], components = COMPONENTS): AuthenticatedWorld {
  const served = Object.entries(components).map(([name, tools]) => [name, several(tools)] as const)
  return authenticatedWorld(
    { ...BOTH, policy: JSON.stringify({ rules }), catalog_ttl_ms: '60000' },
    undefined,
    { components: { one: several([]), ...Object.fromEntries(served) } },
  )
}

const CALLERS = [
  { groups: ['a'], scope: 'tools' },
  { groups: ['b'], scope: '' },
  { groups: [], scope: 'tools extra' },
].map((claims) => tokenWith({ claims }))

const PATHS = ['/mcp', '/mcp?tools=search', '/mcp/x/shop', '/mcp/x/other']
const QUERIES = ['', 'red house door', 'open t1', 'search tools', 'nothing of it']

/** Everything that a caller is told about tools at an address. */
async function seen(
  world: AuthenticatedWorld,
  token: string,
  path: string,
  query: string,
): Promise<string> {
  const ask = async (method: string, params: object) => {
    const response = await world.get(path, token, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    await world.platform.settled()
    return `${response.status} ${await response.text()}`
  }
  const search = { name: 'search_tools', arguments: { query, limit: 50 } }
  return [await ask('tools/list', {}), await ask('tools/call', search)].join('\n')
}

async function storeOf({ platform }: AuthenticatedWorld) {
  return platform.openKeyValue('default')
}

/** Forgets what was found for callers, so that the next answer is found in the catalog. */
async function forget(world: AuthenticatedWorld): Promise<void> {
  const store = await storeOf(world)
  for (const key of await store.keys()) if (key.startsWith(LISTS)) await store.delete(key)
}

/** Keeps the outline only: whatever is read from the catalog is then empty. */
async function breakCatalog(world: AuthenticatedWorld): Promise<() => Promise<void>> {
  const store = await storeOf(world)
  const before = new Map<string, Uint8Array>()
  for (const key of await store.keys()) {
    const value = key.startsWith(CATALOG) ? await store.get(key) : undefined
    if (!value) continue
    before.set(key, value)
    if (key !== CATALOG) await store.set(key, 'not JSON')
  }
  return async () => {
    for (const [key, value] of before) await store.set(key, value)
  }
}

const NAMES = fc.subarray(['t*', 'u1*', 't0', 'other__t0', 'shop__*', '*2', 'search_tools'], {
  minLength: 1,
})
const RULE: fc.Arbitrary<Rule> = fc.record(
  {
    effect: fc.constantFrom('allow' as const, 'allow' as const, 'deny' as const, 'ask' as const),
    groups: fc.constantFrom(['a'], ['b'], ['*']),
    scopes: fc.constantFrom(['tools'], ['extra']),
    components: fc.constantFrom(['shop'], ['other'], ['*']),
    tools: NAMES,
    actions: fc.constantFrom(['list' as const], ['call' as const], ['list', 'call'] as const),
    annotations: fc.constantFrom({ readOnlyHint: true }, { readOnlyHint: false }),
  },
  { requiredKeys: ['effect'] },
)

describe('a list and a search of a caller with a policy', () => {
  it('are the same from the store as from the catalog, under any policy', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(RULE, { minLength: 1, maxLength: 5 }),
        fc.constantFrom(...PATHS),
        fc.constantFrom(...QUERIES),
        async (rules, path, query) => {
          const world = guarded(rules)
          const fromCatalog: string[] = []
          for (const token of CALLERS) {
            await forget(world)
            fromCatalog.push(await seen(world, token, path, query))
          }
          let wasAskedAgain = false
          for (const [place, token] of CALLERS.entries()) {
            await seen(world, token, path, query)
            const repair = await breakCatalog(world)
            const asked = world.log.length
            const answer = await seen(world, token, path, query)
            // A search without a result asks the components again, so it reads the catalog. What it stores has no index yet,
            // so the searches after it read the catalog, too.
            wasAskedAgain ||= answer.includes('No tool matches')
            if (!answer.includes('No tool matches')) expect(answer).toBe(fromCatalog[place])
            // So does a search that a short list does not offer: its name is unknown at first.
            if (!wasAskedAgain && answer.includes('"name":"search_tools"')) {
              expect(world.log).toHaveLength(asked)
            }
            await repair()
          }
        },
      ),
      { numRuns: process.env['FTL_TEST_NIGHTLY'] === undefined ? 8 : 100 },
    )
  }, 300_000)

  it('do not take a name for a plain one because the component that has it was not asked', async () => {
    const world = guarded([
      { effect: 'allow', tools: ['t*', 'search_tools'] },
      // So that the address exists for the caller.
      { effect: 'allow', actions: ['call'] },
    ])
    const [token = ''] = CALLERS
    const path = '/mcp/x/other'
    // As it is called by all others: other__t0.
    const isSeen = async () => (await seen(world, token, path, '')).includes('"t0"')
    expect(await isSeen()).toBe(false)
    expect(await isSeen()).toBe(false)
    // The search finds nothing, and asks this component alone.
    await breakCatalog(world)
    const store = await storeOf(world)
    await store.delete('asked-again:other')
    expect(await isSeen()).toBe(false)
  })

  it('follow a change of the policy at once', async () => {
    const world = guarded([{ effect: 'allow' }])
    const [token = ''] = CALLERS
    for (const path of PATHS) await seen(world, token, path, 'door')
    const { variables } = world.platform
    const policy = JSON.stringify({ rules: [{ effect: 'allow', tools: ['t5'] }] })
    world.platform.variables = {
      get: (name) =>
        name === 'policy'
          ? policy
          : name === 'trust_forwarded_user'
            ? `; policy=${policy}`
            : variables.get(name),
    }
    for (const path of PATHS) {
      for (let time = 0; time < 2; time++) {
        const text = await seen(world, token, path, 'door')
        expect(text).not.toMatch(/t6|u2/)
        expect(text.includes('t5')).toBe(path !== '/mcp/x/other')
      }
    }
  })

  it('follow a change of the catalog, also of a component that the address is not about', async () => {
    const world = guarded([{ effect: 'allow', tools: ['t0', 't5', 'u5'] }])
    const [token = ''] = CALLERS
    const isSeen = async (path: string) => (await seen(world, token, path, 'door')).includes('"t0"')
    expect(await isSeen('/mcp/x/shop')).toBe(true)
    expect(await isSeen('/mcp/x/shop')).toBe(true)
    // A component that comes first takes the name, so the rule is about its tool.
    world.components['one'] = several([described('t0', 0, true)])
    const store = await storeOf(world)
    await store.delete(CATALOG)
    await seen(world, token, '/mcp', 'door')
    expect(await isSeen('/mcp/x/shop')).toBe(false)
    expect(await isSeen('/mcp')).toBe(true)
  })

  it('are found in the catalog again if another component wrote what is stored', async () => {
    const world = guarded([{ effect: 'allow', tools: ['t5'] }])
    const { variables } = world.platform
    const sealed: Record<string, string> = {
      own_store: '',
      request_state_key: '0123456789abcdef0123456789abcdef',
    }
    world.platform.variables = { get: (name) => sealed[name] ?? variables.get(name) }
    const [token = ''] = CALLERS
    const before = await seen(world, token, '/mcp', 'door')
    const store = await storeOf(world)
    const keys = (await store.keys()).filter((key) => key.startsWith(LISTS))
    expect(keys).toHaveLength(1)
    for (const key of keys) {
      const text = new TextDecoder().decode(await store.get(key))
      expect(text).toContain('"permitted":"')
      await store.set(key, text.replace(/"permitted":"[01]+"/, `"permitted":"${'1'.repeat(78)}"`))
      expect(await seen(world, token, '/mcp', 'door')).toBe(before)
      await store.set(key, text.slice(text.indexOf('.') + 1))
      expect(await seen(world, token, '/mcp', 'door')).toBe(before)
    }
  })
})
