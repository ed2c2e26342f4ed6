import type { ToolDescription } from 'ftl-contract'
import { describe, expect, it } from 'vitest'
import { authenticatedWorld, BOTH } from '../testing/authenticated.ts'
import { createWorld, several, tool, type World } from '../testing/components.ts'
import { tokenWith } from '../testing/issuer.ts'
import { request, send } from '../testing/rest.ts'

const CATALOG = 'catalog:v3'
const INDEX = 'tool-index:v1'

/** Long enough for an outline. */
const LARGE: ToolDescription[] = Array.from({ length: 40 }, (_, number) => ({
  ...tool(`t${number}`, { path: { type: 'string' } }),
  description: `Number ${number} ${'of the shop '.repeat(500)}`,
}))

function large(variables: Record<string, string> = {}) {
  const clock = { now: 1_000_000 }
  const world = createWorld({
    components: { shop: several(LARGE), other: several([tool('zebra')]) },
    variables: { catalog_ttl_ms: '5000', ...variables },
    now: () => clock.now,
  })
  return { world, clock }
}

type Listed = { tools: { name: string }[] }

async function names(world: World, path = '/tools?format=mcp'): Promise<string[]> {
  return ((await send(world, path)).body as unknown as Listed).tools.map(({ name }) => name)
}

async function stored(world: World, key: string): Promise<string | undefined> {
  const bytes = await (await world.platform.openKeyValue('default')).get(key)
  return bytes && new TextDecoder().decode(bytes)
}

const SHORT = ['search_tools', 'describe_tools', 'use_tool']

describe('a large catalog', () => {
  it('is listed from its outline, which a small one does not have', async () => {
    const { world } = large()
    expect(await names(world)).toEqual(SHORT)
    expect((await stored(world, CATALOG))?.startsWith('[{"id":')).toBe(true)
    const asked = world.log.length
    expect(await names(world)).toEqual(SHORT)
    expect(world.log).toHaveLength(asked)
    const small = createWorld({ components: { a: several([tool('a')]) } })
    await names(small)
    expect((await stored(small, CATALOG))?.startsWith('{')).toBe(true)
  })

  it('does not parse the catalog for such a list', async () => {
    const { world } = large()
    await names(world)
    const store = await world.platform.openKeyValue('default')
    await store.set(`${CATALOG}:0:`, 'not JSON')
    expect(await names(world)).toEqual(SHORT)
  })

  it('is asked for again when it is too old, and then has what is new', async () => {
    const { world, clock } = large()
    await names(world)
    const visible = { ...tool('lion'), _meta: { 'ftl/alwaysVisible': true } }
    world.components['other'] = several([visible])
    expect(await names(world)).toEqual(SHORT)
    clock.now += 6_000
    expect(await names(world)).toEqual([...SHORT, 'lion'])
    expect((await send(world, '/tools?query=lion')).body).toMatchObject({ matches: 1 })
    expect((await send(world, '/tools?query=zebra')).body).toMatchObject({ matches: 0 })
  })

  it('is listed by the settings of now, not by those of its outline', async () => {
    const { world } = large()
    await names(world)
    const get = world.platform.variables.get.bind(world.platform.variables)
    const settings = 'always_visible=t1 zebra'
    world.platform.variables = {
      get: (name) => (name === 'list_settings' ? settings : get(name)),
    }
    expect(await names(world)).toEqual([...SHORT, 't1', 'zebra'])
  })

  it('reports components with problems in its short list too', async () => {
    const { world } = large()
    world.components['other'] = undefined
    const { body } = await send(world, '/tools?format=mcp')
    expect(JSON.stringify(body._meta)).toContain('"component":"other","status":"unavailable"')
    world.components['other'] = several([{ ...tool('bad'), name: 'not a name' }, tool('good')])
    const { world: second } = large()
    second.components['other'] = world.components['other']
    await names(second)
    const again = await send(second, '/tools?format=mcp')
    expect(JSON.stringify(again.body._meta)).toContain('its name must be')
  })

  it('has its index made with it, and again if that is lost, forged or of another catalog', async () => {
    const { world } = large()
    await names(world)
    await world.platform.settled()
    const store = await world.platform.openKeyValue('default')
    const find = async () => (await send(world, '/tools?query=zebra')).body
    expect(await find()).toMatchObject({ tools: [{ name: 'zebra' }], matches: 1 })
    const index = (await stored(world, INDEX)) as string
    const other = index.replace(/"digest":"[^"]*"/, '"digest":"x"').replace('zebra', 'tiger')
    for (const broken of ['', 'nonsense', '{"version":1}', other]) {
      await store.set(INDEX, broken)
      expect(await find()).toMatchObject({ tools: [{ name: 'zebra' }] })
      expect(await stored(world, INDEX)).toBe(index)
    }
  })

  it('is sealed with its outline where other components can open the store', async () => {
    const key = '0123456789abcdef0123456789abcdef'
    const { world } = large({ own_store: '', request_state_key: key })
    expect(await names(world)).toEqual(SHORT)
    expect((await send(world, '/tools?query=zebra')).body).toMatchObject({ matches: 1 })
    const store = await world.platform.openKeyValue('default')
    const index = (await stored(world, INDEX)) as string
    await store.set(INDEX, index.replace('zebra', 'tiger'))
    expect((await send(world, '/tools?query=zebra')).body).toMatchObject({
      tools: [{ name: 'zebra' }],
    })
    const catalog = (await stored(world, CATALOG)) as string
    await store.set(CATALOG, catalog.replace('"visible":[]', '"visible":[{"name":"evil"}]'))
    expect(await names(world)).toEqual(SHORT)
  })

  it('is listed and searched at the address of one component', async () => {
    const { world } = large()
    await names(world)
    const list = async (path: string, method: string, params: object) => {
      const body = { jsonrpc: '2.0', id: 1, method, params }
      return (await (await world.send(request(path, { body }))).json()) as object
    }
    const { result } = (await list('/mcp/x/other', 'tools/list', {})) as { result: Listed }
    expect(result.tools.map(({ name }) => name)).toEqual(['zebra'])
    const params = { name: 'search_tools', arguments: { query: 'number' } }
    const found = await list('/mcp/x/other', 'tools/call', params)
    expect(JSON.stringify(found)).toContain('No tool matches')
  })
})

describe('callers with different rights', () => {
  it('never get the list or the results of each other, in either order', async () => {
    const rules = [
      { effect: 'allow', groups: ['all'] },
      { effect: 'allow', tools: ['zebra'] },
    ]
    const world = authenticatedWorld(
      { ...BOTH, policy: JSON.stringify({ rules }), catalog_ttl_ms: '60000' },
      undefined,
      { components: { shop: several(LARGE), other: several([tool('zebra')]) } },
    )
    const boss = tokenWith({ claims: { groups: ['all'] } })
    const guest = tokenWith({ claims: { groups: [] } })
    const ask = async (path: string, token: string) =>
      (await (await world.get(path, token)).json()) as Listed & { matches?: number }
    for (const order of [
      [boss, guest],
      [guest, boss],
    ]) {
      for (const token of order) {
        const list = await ask('/tools?format=mcp', token)
        const found = await ask('/tools?query=number&limit=1', token)
        const detail = await ask('/tools?query=&detail=full&limit=50', token)
        if (token === boss) {
          expect(list.tools.map(({ name }) => name)).toEqual(SHORT)
          expect(found.matches).toBe(40)
        } else {
          expect(list.tools.map(({ name }) => name)).toEqual(['zebra'])
          expect(found).toEqual({ tools: [], matches: 0 })
          expect(detail.tools.map(({ name }) => name)).toEqual(['zebra'])
        }
      }
    }
  })
})
