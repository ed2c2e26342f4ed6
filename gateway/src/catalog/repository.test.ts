import { describe, expect, it, vi } from 'vitest'
import type { MemoryPlatform } from 'ftl-platform/memory'
import { call, type Component, createWorld, several, text, tool } from '../testing/components.ts'
import { CATALOG_KEY } from './catalog-parts.ts'

interface Listing {
  result: { tools: { name: string }[]; _meta?: { 'ftl/components': Record<string, unknown>[] } }
}

const LIST = { jsonrpc: '2.0', method: 'tools/list', id: 1 }
const never = () => new Promise<Response>(() => {})

/** Counts writes to the store. */
async function countWrites(platform: MemoryPlatform): Promise<() => number> {
  const store = await platform.openKeyValue('default')
  const set = store.set.bind(store)
  let writes = 0
  store.set = (key, value) => {
    writes++
    return set(key, value)
  }
  return () => writes
}

describe('tools/list', () => {
  it('keeps the order of the components, then of their own lists', async () => {
    const world = createWorld({
      components: {
        two: several([tool('z'), tool('a')]),
        one: async () => {
          await new Promise((resolve) => setTimeout(resolve, 20))
          return Response.json(tool('m'))
        },
      },
      variables: { tool_components: 'one,two' },
    })
    const first = await world.rpc(LIST)
    expect((first as Listing).result.tools.map(({ name }) => name)).toEqual(['m', 'z', 'a'])
    expect(await world.rpc(LIST)).toEqual(first)
  })

  it('gives a component that it asks for the first time longer to answer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const slow = async () => {
        await new Promise((resolve) => setTimeout(resolve, 5000))
        return Response.json(tool('a'))
      }
      const world = createWorld({ components: { one: slow }, variables: { catalog_ttl_ms: '0' } })
      const list = async () => {
        const listed = world.rpc(LIST)
        await vi.advanceTimersByTimeAsync(5000)
        return ((await listed) as Listing).result
      }
      const first = await list()
      expect(first.tools.map(({ name }) => name)).toEqual(['a'])
      expect(first).not.toHaveProperty('_meta')
      expect((await list())._meta?.['ftl/components']).toMatchObject([
        { component: 'one', status: 'stale', reason: 'it gave no answer within 2000 ms' },
      ])
    } finally {
      vi.useRealTimers()
    }
  })

  it('says nothing of components that are well', async () => {
    const world = createWorld({ components: { one: several([tool('a')]) } })
    expect(((await world.rpc(LIST)) as Listing).result).not.toHaveProperty('_meta')
  })

  const broken: [string, Component | undefined, string][] = [
    ['throws', () => Promise.reject(new Error('secret: /etc/passwd')), 'cannot be reached'],
    ['is missing', undefined, 'cannot be reached'],
    ['answers HTML', () => new Response('<html>secret</html>'), 'is not JSON'],
    ['hangs', never, 'no answer within 50 ms'],
    ['answers 500', () => new Response('secret', { status: 500 }), 'status 500'],
    ['sends bad JSON', () => new Response('{"name":"x"'), 'is not JSON'],
    ['sends no tool', () => Response.json({ hello: 1 }), 'it has no name'],
    ['sends a tool without a schema', () => Response.json({ name: 'x' }), 'no inputSchema'],
    ['sends megabytes', () => new Response(new Uint8Array(1e7)), 'more than 9437184 bytes'],
    [
      'drips for ever',
      () =>
        new Response(
          new ReadableStream({
            async pull(controller) {
              await new Promise((resolve) => setTimeout(resolve, 10))
              controller.enqueue(new Uint8Array([32]))
            },
          }),
        ),
      'no answer within 50 ms',
    ],
  ]
  it.each(broken)('loses only the tools of a component that %s', async (_how, component, why) => {
    const world = createWorld({
      components: { bad: component, good: several([tool('fine')]) },
      variables: { tool_components: 'bad,good', discovery_timeout_ms: '50' },
    })
    const { result } = (await world.rpc(LIST)) as Listing
    expect(result.tools.map(({ name }) => name)).toEqual(['fine'])
    const [report, ...others] = result._meta?.['ftl/components'] ?? []
    expect(others).toEqual([])
    expect(report).toMatchObject({ component: 'bad' })
    expect(JSON.stringify(report)).toContain(why)
    expect(JSON.stringify(report)).not.toContain('secret')
  })

  it('serves the last good tools of a component that is down, and says so', async () => {
    const world = createWorld({ components: { one: several([tool('a')]) } })
    await world.rpc(LIST)
    world.components['one'] = undefined
    const { result } = (await world.rpc(LIST)) as Listing
    expect(result.tools.map(({ name }) => name)).toEqual(['a'])
    expect(result._meta?.['ftl/components']).toMatchObject([
      { component: 'one', status: 'stale', tools: 1, reason: 'it cannot be reached' },
    ])
  })

  it('writes the catalog only when it has changed', async () => {
    const world = createWorld({ components: { one: several([tool('a')]) } })
    const writes = await countWrites(world.platform)
    await world.rpc(LIST)
    await world.rpc(LIST)
    expect(writes()).toBe(1)
    world.components['one'] = several([{ ...tool('a'), description: 'Another word' }])
    await world.rpc(LIST)
    expect(writes()).toBe(2)
    world.components['one'] = undefined
    await world.rpc(LIST)
    expect(writes()).toBe(2)
  })

  it('works without a store', async () => {
    const world = createWorld({ components: { one: several([tool('a')]) } })
    world.platform.openKeyValue = () => Promise.reject(new Error('access-denied'))
    expect(((await world.rpc(LIST)) as Listing).result.tools).toHaveLength(1)
    expect(await world.rpc(call('a', {}))).toMatchObject({ result: text('a') })
  })

  it('survives a stored catalog that is not one', async () => {
    const world = createWorld({ components: { one: several([tool('a')]) } })
    const store = await world.platform.openKeyValue('default')
    await store.set(CATALOG_KEY, '{"a":1}')
    expect(await world.rpc(call('a', {}))).toMatchObject({ result: text('a') })
  })

  it('names the variable whose value is unusable', async () => {
    const world = createWorld({ variables: { tool_components: '["a"' } })
    expect(await world.rpc(LIST)).toMatchObject({
      error: {
        code: -32603,
        message: 'Internal error',
        data: { reason: expect.stringContaining('"tool_components"') as string },
      },
      id: 1,
    })
  })
})

describe('two components with a tool of the same name', () => {
  const world = () =>
    createWorld({
      components: {
        one: several([tool('echo')], () => text('from one')),
        two: several([tool('echo'), tool('other')], () => text('from two')),
      },
    })

  it('are told apart by a prefix, the first keeping the plain name', async () => {
    const { result } = (await world().rpc(LIST)) as Listing
    expect(result.tools.map(({ name }) => name)).toEqual(['echo', 'two__echo', 'other'])
    expect(result._meta?.['ftl/components']).toMatchObject([
      {
        component: 'two',
        clashes: [{ kind: 'tools', name: 'echo', keptBy: 'one', listedAs: 'two__echo' }],
      },
    ])
  })

  it('can both be called', async () => {
    const w = world()
    expect(await w.rpc(call('echo', {}))).toMatchObject({ result: text('from one') })
    expect(await w.rpc(call('two__echo', {}))).toMatchObject({ result: text('from two') })
    expect(w.log).toContain('POST http://two.spin.internal/echo')
  })
})

describe('a component that is no longer configured', () => {
  it('cannot be called, although it is still stored', async () => {
    const variables = { tool_components: 'one,two' }
    const world = createWorld({
      components: { one: several([tool('a')]), two: several([tool('b')]) },
      variables,
    })
    await world.rpc(LIST)
    world.platform.variables = { get: (n) => (n === 'tool_components' ? 'one' : undefined) }
    expect(await world.rpc(call('b', {}))).toMatchObject({ error: { code: -32001 } })
  })
})
