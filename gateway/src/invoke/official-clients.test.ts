// What official clients make of a result that breaks its outputSchema, of a server behind `remote`: they must show what it has said.
import {
  Client as Client2,
  StreamableHTTPClientTransport as Transport2,
} from '@modelcontextprotocol/client'
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { expect, it } from 'vitest'
import { createWorld, tool } from '../testing/components.ts'

const ME = { name: 'test', version: '1' }
const ENDPOINT = new URL('http://localhost:3000/mcp')
const outputSchema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }
const said = { type: 'text' as const, text: 'said' }

const GIVEN: [string, object][] = [
  ['another type', { structuredContent: { n: 'x' } }],
  ['nothing structured', {}],
  ['an error of another shape', { structuredContent: { code: 5 }, isError: true }],
]

it.each(GIVEN)('of %s, the text', async (_, given) => {
  const offer = { tools: [{ ...tool('a'), outputSchema }], relays: true }
  const world = createWorld({
    components: {
      one: ({ method }) => Response.json(method === 'GET' ? offer : { content: [said], ...given }),
    },
  })
  const fetch = (input: string | URL, init?: RequestInit) => world.send(new Request(input, init))
  const v1 = new Client1(ME)
  await v1.connect(new Transport1(ENDPOINT, { fetch }))
  await v1.listTools()
  expect((await v1.callTool({ name: 'a', arguments: {} })).content).toContainEqual(said)
  for (const mode of ['legacy', 'auto'] as const) {
    const v2 = new Client2(ME, { versionNegotiation: { mode } })
    await v2.connect(new Transport2(ENDPOINT, { fetch }))
    await v2.listTools()
    expect((await v2.callTool({ name: 'a', arguments: {} })).content).toContainEqual(said)
  }
})
