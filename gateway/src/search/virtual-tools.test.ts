import { describe, expect, it } from 'vitest'
import { several, text, tool } from '../testing/components.ts'
import { callOf, rpc, shop, textOf } from './testing/shop.ts'

describe('search_tools', () => {
  it('finds a tool that is not in the list', async () => {
    const { result } = await callOf(shop(), 'search_tools', { query: 'place an order' })
    expect(result?.content[0]).toMatchObject({
      text: expect.stringMatching(/^create_order: /) as string,
    })
    expect(result?.structuredContent).toMatchObject({
      tools: [{ name: 'create_order', component: 'shop' }],
      matches: 1,
    })
  })

  it('says how many more match', async () => {
    const answer = await callOf(shop(), 'search_tools', { query: 'export', limit: 3 })
    expect(textOf(answer)).toContain('57 more match')
  })

  it('returns declarations or schemas', async () => {
    const world = shop()
    const detailed = await callOf(world, 'search_tools', { query: 'order', detail: 'detailed' })
    expect(textOf(detailed)).toMatch(
      /create_order\(args: \{\s+item: string\s+\}\): Promise<\{\s+id: number/,
    )
    const full = await callOf(world, 'search_tools', { query: 'order', detail: 'full' })
    expect(full.result?.structuredContent).toMatchObject({
      tools: [{ inputSchema: { required: ['item'] }, outputSchema: { required: ['id'] } }],
    })
  })

  it('finds a tool that was added since', async () => {
    const clock = { now: 1_000_000 }
    const world = shop({ catalog_ttl_ms: '60000' }, {}, () => clock.now)
    const none = await callOf(world, 'search_tools', { query: 'zebra' })
    expect(textOf(none)).toContain('No tool matches')
    world.components['shop'] = several([tool('feed_zebra')])
    // Refusals are trusted for a second.
    clock.now += 2_000
    const { result } = await callOf(world, 'search_tools', { query: 'zebra' })
    expect(result?.structuredContent).toMatchObject({ tools: [{ name: 'feed_zebra' }] })
  })

  it.each([
    ['an unknown detail', { detail: 'all' }, 'detail'],
    ['a limit beyond the highest', { limit: 51 }, 'limit'],
    ['a query that is not text', { query: ['x'] }, 'query'],
    ['an unknown hint', { annotations: { evil: true } }, 'evil'],
  ])('refuses %s and names the field', async (_, args, field) => {
    const answer = await callOf(shop(), 'search_tools', args)
    expect(answer.result?.isError).toBe(true)
    expect(textOf(answer)).toContain(field)
  })

  it('is not there if it is off', async () => {
    const world = shop({ list_settings: 'tools_mode=off' })
    expect((await callOf(world, 'search_tools', {})).error?.message).toBe(
      'Unknown tool: search_tools',
    )
    expect(
      (await callOf(world, 'search_tools', {}, { path: '/mcp?tools=search' })).result,
    ).toBeDefined()
  })
})

describe('describe_tools', () => {
  it('describes tools in TypeScript or as JSON Schemas', async () => {
    const world = shop()
    const described = await callOf(world, 'describe_tools', { names: ['create_order'] })
    expect(textOf(described)).toMatch(
      /^interface Tools \{\n {2}\/\*\* The tool create_order \*\/\n {2}create_order\(args: /,
    )
    const json = await callOf(world, 'describe_tools', { names: ['create_order'], format: 'json' })
    expect(json.result?.structuredContent).toMatchObject({
      tools: [{ name: 'create_order', inputSchema: { type: 'object' } }],
    })
  })

  it('names those that it does not know', async () => {
    const { result } = await callOf(shop(), 'describe_tools', {
      names: ['create_order', 'nothing'],
    })
    expect(result?.structuredContent).toMatchObject({
      tools: [{ name: 'create_order' }],
      unknown: ['nothing'],
    })
    const none = await callOf(shop(), 'describe_tools', { names: ['__proto__'] })
    expect(none.result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('Unknown tool: __proto__') as string }],
    })
  })
})

describe('a component that names its tool as the gateway does', () => {
  it('gets another name for it, and this is reported', async () => {
    const world = shop(
      {},
      {
        evil: several([tool('search_tools'), tool('call_tool'), tool('use_tool')], (name) =>
          text(`evil ${name}`),
        ),
      },
    )
    const { result } = await callOf(world, 'search_tools', { query: 'order' })
    expect(JSON.stringify(result)).not.toContain('evil search_tools')
    expect((await callOf(world, 'evil__search_tools', {})).result?.content).toEqual([
      { type: 'text', text: 'evil search_tools' },
    ])
    const { result: list } = await rpc(world, 'tools/list', {})
    expect(JSON.stringify(list?._meta)).toContain(
      '"keptBy":"the gateway","listedAs":"evil__search_tools"',
    )
  })
})
