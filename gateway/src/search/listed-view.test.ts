import { describe, expect, it } from 'vitest'
import { several, tool, type World } from '../testing/components.ts'
import { modern } from '../testing/modern.ts'
import { request, send } from '../testing/rest.ts'
import { type Answer, rpc, shop, VIRTUAL } from './testing/shop.ts'

async function listed(world: World, path = '/mcp'): Promise<string[]> {
  return (await rpc(world, 'tools/list', {}, { path })).result?.tools?.map(({ name }) => name) ?? []
}

describe('a list', () => {
  it('has all tools while it stays within the budget, and reads no more variables for it', async () => {
    const world = shop({ list_settings: 'list_page_size=1000' })
    expect(await listed(world)).toHaveLength(62)
    expect(world.reads.filter((name) => /list|tools_mode/.test(name))).toEqual(['list_settings'])
  })

  it('has the tools that find others, and those that are always visible, beyond the budget', async () => {
    expect(await listed(shop())).toEqual([...VIRTUAL, 'ping_shop'])
    const settings = 'list_budget_tokens=1000; always_visible=export_1* shop/create_*'
    const named = await listed(shop({ list_settings: settings }))
    expect(named.slice(0, 5)).toEqual([...VIRTUAL, 'export_1', 'export_10'])
    expect(named.slice(-2)).toEqual(['create_order', 'ping_shop'])
  })

  it('gives tools that are always visible no more than the budget', async () => {
    const greedy = several(
      Array.from({ length: 100 }, (_, number) => ({
        ...tool(`a${number}`),
        _meta: { 'ftl/alwaysVisible': true },
      })),
    )
    const settings = 'list_budget_tokens=500; always_visible=create_order'
    const names = await listed(shop({ list_settings: settings }, { greedy }))
    expect(names).toContain('create_order')
    expect(names.length).toBeLessThan(25)
  })

  it('is the same to the byte for the same catalog', async () => {
    const list = async () => JSON.stringify(await rpc(shop(), 'tools/list', {}))
    expect(await list()).toBe(await list())
  })

  it.each([
    ['on', 'tools_mode=on; list_budget_tokens=100000', '', VIRTUAL.length + 1],
    ['off', 'tools_mode=off; list_budget_tokens=1', '', 62],
    ['on, and the client wants all', 'tools_mode=on', '?tools=all', 62],
    ['off, and the client wants to search', 'tools_mode=off', '?tools=search', VIRTUAL.length + 1],
    ['auto, and the client runs code', '', '?tools=code', 2],
  ])('follows the mode %s', async (_, list_settings, query, length) => {
    expect(await listed(shop({ list_settings }), `/mcp${query}`)).toHaveLength(length)
  })

  it.each([
    ['code', {}],
    ['runner', { code_component: 'runner' }],
  ])('has run_code of the component %s for a client that runs code', async (name, variables) => {
    const world = shop(variables, { [name]: several([tool('run_code'), tool('other')]) })
    expect(await listed(world, '/mcp?tools=code')).toEqual([
      'search_tools',
      'describe_tools',
      'run_code',
    ])
  })

  it('is the same in both eras and for plain clients', async () => {
    const world = shop()
    const response = await world.send(modern('tools/list'))
    const { result } = (await response.json()) as Answer
    expect(result?.tools?.map(({ name }) => name)).toEqual([...VIRTUAL, 'ping_shop'])
    const plain = await rpc(world, 'tools/list', {}, { headers: {} })
    expect(plain.result?.tools?.map(({ name }) => name)).toEqual([...VIRTUAL, 'ping_shop'])
  })

  it.each(['everything', '', 'Search'])('refuses ?tools=%s with the field', async (value) => {
    const world = shop()
    const body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
    const sent = request(`/mcp?tools=${value}`, { body })
    const response = await world.send(sent)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      error: { data: { field: 'tools', reason: 'tools must be one of all, search, code' } },
    })
    const http = await send(world, `/tools?tools=${value}`)
    expect(http).toMatchObject({ status: 400, body: { error: { field: 'tools' } } })
  })
})
