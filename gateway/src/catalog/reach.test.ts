import { expect, it } from 'vitest'
import { createWorld, several, tool } from '../testing/components.ts'

const LIST = { jsonrpc: '2.0', method: 'tools/list', id: 1 }

async function listed(tools: object[], reach: string): Promise<Record<string, unknown>[]> {
  const world = createWorld({
    components: { weather: several(tools as never) },
    variables: { tool_reach: reach },
  })
  const { result } = (await world.rpc(LIST)) as { result: { tools: Record<string, unknown>[] } }
  return result.tools
}

it('a tool is listed with what its component may reach', async () => {
  const reach = { hosts: ['https://api.example'], stores: ['default'] }
  const [first] = await listed([tool('forecast')], JSON.stringify({ weather: reach }))
  expect(first?._meta).toEqual({ 'ftl/reach': reach })
})

it('a component that may reach nothing says so with an empty object', async () => {
  const [first] = await listed([tool('forecast')], '{"weather":{}}')
  expect(first?._meta).toEqual({ 'ftl/reach': {} })
})

it('what a component claims about itself is not listed', async () => {
  const claims = { ...tool('forecast'), _meta: { 'ftl/reach': {}, other: 1 } }
  const truth = { hosts: ['*://*:*'] }
  const [known] = await listed([claims], JSON.stringify({ weather: truth }))
  expect(known?._meta).toEqual({ other: 1, 'ftl/reach': truth })
  const [unknown] = await listed([claims], '')
  expect(unknown?._meta).toEqual({ other: 1 })
})

it('without a value, lists are as before', async () => {
  const [first] = await listed([tool('forecast')], '')
  expect(first).not.toHaveProperty('_meta')
})

it('two lists of the same components are the same bytes', async () => {
  const reach =
    '{"weather":{"stores":["default"],"hosts":["https://b.example","https://a.example"]}}'
  const lists = [
    await listed([tool('a'), tool('b')], reach),
    await listed([tool('a'), tool('b')], reach),
  ]
  expect(JSON.stringify(lists[0])).toBe(JSON.stringify(lists[1]))
})

it('a value that is not a JSON object is refused, by the name of the variable', async () => {
  const made = createWorld({
    components: { weather: several([tool('a')]) },
    variables: { tool_reach: '[]' },
  })
  expect(JSON.stringify(await made.rpc(LIST))).toContain('tool_reach')
})
