import fc from 'fast-check'
import type { ToolDescription } from 'ftl-contract'
import type { KeyValue } from 'ftl-platform'
import { describe, expect, it, vi } from 'vitest'
import { call, createWorld, several, text, tool, type World } from '../testing/components.ts'
import { shippedScope } from '../testing/shipped-scope.ts'
import { CATALOG_KEY } from './catalog-parts.ts'
import { createToolRepository } from './repository.ts'

/** So that a few tools are a large catalog. */
const LONG = 'x'.repeat(12_000)

const long = (name: string): ToolDescription => ({ ...tool(name), description: LONG })

const manyTools = Array.from({ length: 30 }, (_, number) => long(`t${number}`))

function large(variables: Record<string, string> = {}) {
  const clock = { now: 1_000_000 }
  const world = createWorld({
    components: {
      shop: several(manyTools, (name) => text(`${name} of the shop`)),
      other: several([long('t1')]),
    },
    variables: { catalog_ttl_ms: '5000', ...variables },
    now: () => clock.now,
  })
  return { world, clock }
}

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

async function watched(world: World) {
  const store = await world.platform.openKeyValue('default')
  return { get: vi.spyOn(store, 'get'), set: vi.spyOn(store, 'set'), store }
}

const keysOf = (spy: { mock: { calls: unknown[][] } }) =>
  spy.mock.calls.map(([key]) => String(key)).filter((key) => key.startsWith(CATALOG_KEY))

/** Changes the entries that the head names. */
async function spoil(store: KeyValue, change: (text: string) => string): Promise<void> {
  for (const key of await store.keys()) {
    if (!key.startsWith(`${CATALOG_KEY}:`)) continue
    await store.set(key, change(new TextDecoder().decode(await store.get(key))))
  }
}

describe('a call of a tool of a large catalog', () => {
  it('reads the head and one entry of tools, never the whole catalog', async () => {
    const { world } = large()
    await world.rpc(LIST)
    await world.platform.settled()
    const { get } = await watched(world)
    const asked = world.log.length
    expect(JSON.stringify(await world.rpc(call('t7', {})))).toContain('t7 of the shop')
    expect(keysOf(get)).toEqual([
      CATALOG_KEY,
      expect.stringMatching(new RegExp(`^${CATALOG_KEY}:[01]:\\d+$`)),
    ])
    expect(world.log.slice(asked)).toEqual(['POST http://shop.spin.internal/t7'])
  })

  it('is made although its entries are those of another catalog, or are gone', async () => {
    const changes = [
      (stored: string) => stored.replace('["', '["0'),
      () => 'not JSON',
      () => '["",{}]',
      () => '7',
    ]
    for (const change of changes) {
      const { world } = large()
      await world.rpc(LIST)
      const { store } = await watched(world)
      await spoil(store, change)
      expect(JSON.stringify(await world.rpc(call('t7', {})))).toContain('t7 of the shop')
    }
  })

  it('does not reach a component that is no longer in the application', async () => {
    const { world } = large()
    await world.rpc(LIST)
    const { variables } = world.platform
    const withOnly = (names: string) => {
      world.platform.variables = {
        get: (name) => (name === 'tool_components' ? names : variables.get(name)),
      }
    }
    withOnly('other')
    expect(JSON.stringify(await world.rpc(call('t7', {})))).toContain('Tool not found')
    // The first to publish a name keeps it, so the order counts.
    withOnly('other,shop')
    const asked = world.log.length
    await world.rpc(call('t1', {}))
    expect(world.log.slice(asked)).toContain('POST http://other.spin.internal/t1')
  })
})

it('a large catalog that did not change is not written again', async () => {
  const { world, clock } = large()
  await world.rpc(LIST)
  await world.platform.settled()
  const { set } = await watched(world)
  clock.now += 6_000
  await world.rpc(LIST)
  await world.platform.settled()
  expect(new Set(keysOf(set))).toEqual(new Set([CATALOG_KEY]))
  set.mockClear()
  world.components['shop'] = several([...manyTools, long('new')])
  clock.now += 6_000
  await world.rpc(LIST)
  expect(keysOf(set).length).toBeGreaterThan(2)
  expect(keysOf(set)).toContain(`${CATALOG_KEY}:1:`)
  expect(JSON.stringify(await world.rpc(call('new', {})))).not.toContain('not found')
})

it('a tool is the same whether it is read from its part or from the whole catalog', async () => {
  const name = fc.constantFrom('a', 'b', 'get_job', 'one__a', 'two__a', 'two__b', 'three__c', 'c')
  const tools = fc.uniqueArray(name, { minLength: 1, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(tools, tools, tools, async (one, two, three) => {
      const components = { one, two, three }
      const world = createWorld({
        components: Object.fromEntries(
          Object.entries(components).map(([component, names]) => [
            component,
            several([
              ...names.map(long),
              ...manyTools.map((each) => ({ ...each, name: `${component}_${each.name}` })),
            ]),
          ]),
        ),
        variables: { catalog_ttl_ms: '5000', tool_components: 'one,two,three' },
      })
      await world.rpc(LIST)
      await world.platform.settled()
      const repository = createToolRepository()
      const whole = shippedScope(world.platform)
      const scopes = [
        whole,
        ...Object.keys(components).map((only) => ({ ...whole, only, components: [only] })),
      ]
      for (const scope of scopes) {
        const known = await repository.known(scope)
        const names = [
          'a',
          'b',
          'c',
          'get_job',
          'one__a',
          'two__a',
          'two__b',
          'three__c',
          'one__get_job',
          'nothing',
          '__proto__',
        ]
        for (const wanted of [...names, ...known.tools.map((each) => each.name)]) {
          const found = await repository.forCall?.(scope, wanted)
          if (scope === whole) expect(found).not.toHaveProperty('tools')
          expect(JSON.stringify(found?.tool(wanted))).toBe(JSON.stringify(known.tool(wanted)))
        }
      }
    }),
    { numRuns: process.env['FTL_TEST_NIGHTLY'] === undefined ? 10 : 200 },
  )
}, 120_000)
