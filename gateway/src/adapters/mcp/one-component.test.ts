import { expect, it } from 'vitest'
import { createWorld, several, text, tool } from '../../testing/components.ts'

const world = () =>
  createWorld({
    components: {
      one: several([tool('echo')], () => text('one')),
      two: several([tool('echo')], () => text('two')),
      hidden: several([tool('secret')]),
    },
    variables: { tool_components: 'one,two' },
  })

const at = (path: string, message: object) =>
  new Request(`http://localhost:3000${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
  })
const CALL = { method: 'tools/call', params: { name: 'echo' } }

it('/mcp/x/{component} has the tools of one component under their own names', async () => {
  const w = world()
  const list = await w.send(at('/mcp/x/two', { method: 'tools/list' }))
  expect(await list.json()).toMatchObject({ result: { tools: [{ name: 'echo' }] } })
  expect(await (await w.send(at('/mcp/x/two', CALL))).json()).toMatchObject({ result: text('two') })
  expect(w.log).not.toContain('GET http://one.spin.internal/')
})

it('what one component was asked there is not forgotten for the others', async () => {
  const w = world()
  await w.send(at('/mcp', { method: 'tools/list' }))
  await w.send(at('/mcp/x/two', { method: 'tools/list' }))
  w.log.length = 0
  expect(await (await w.send(at('/mcp', CALL))).json()).toMatchObject({ result: text('one') })
  expect(w.log).toEqual(['POST http://one.spin.internal/echo'])
})

it('a path that clients shorten to /mcp/ leads to the endpoint of all components', async () => {
  const w = world()
  const [response, all] = [await w.send(at('/mcp/x/..', CALL)), await w.send(at('/mcp', CALL))]
  expect(await response.json()).toEqual(await all.json())
})

it.each(['hidden', 'mcp-gateway', 'nowhere', 'one.evil'])(
  'leads to no component that is not configured: %s',
  async (name) => {
    const w = world()
    expect((await w.send(at(`/mcp/x/${name}`, CALL))).status).toBe(404)
    expect(w.log).toEqual([])
  },
)
