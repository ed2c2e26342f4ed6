import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { call, createWorld, foreign, post } from './testing/components.ts'

const document = await readFile(
  new URL('../../test/fixtures/seeds/api-reference.md', import.meta.url),
  'utf8',
)

/** The JSON example that follows `label` below the heading `section`. */
function example(section: string, label: string): unknown {
  const below = document.slice(document.indexOf(section))
  const [, json = ''] = /```json\n(.*?)```/s.exec(below.slice(below.indexOf(label))) ?? []
  return JSON.parse(json)
}

/** The bodies of the curl commands, as a shell would send them. */
const curls = [...document.matchAll(/curl -X POST (\S+) \\\n\s+-H "([^"]+)" \\\n\s+-d '([^']*)'/g)]

const weather = foreign(
  {
    name: 'weather',
    description: 'Get weather information for a location',
    inputSchema: {
      type: 'object',
      properties: { location: { type: 'string', description: 'City name or coordinates' } },
      required: ['location'],
    },
  },
  ({ location }) => ({
    content: [
      { type: 'text', text: `Current weather in ${location as string}: 68°F, partly cloudy` },
    ],
  }),
)

const components = { 'weather-tool': weather }

describe('the API reference', () => {
  it('answers initialize as documented', async () => {
    const world = createWorld({ components })
    const answer = await world.rpc(example('#### `initialize`', '**Request**'))
    expect(answer).toEqual(example('#### `initialize`', '**Response**'))
    expect(answer).toEqual({
      jsonrpc: '2.0',
      result: {
        protocolVersion: '0.1.0',
        capabilities: { tools: {} },
        serverInfo: { name: 'ftl-mcp-gateway', version: '0.1.0' },
      },
      id: 1,
    })
  })

  it('answers tools/list as documented', async () => {
    const world = createWorld({ components })
    const answer = await world.rpc(example('#### `tools/list`', '**Request**'))
    expect(answer).toEqual(example('#### `tools/list`', '**Response**'))
  })

  it('answers tools/call as documented', async () => {
    const world = createWorld({ components })
    const answer = await world.rpc(example('#### `tools/call`', '**Request**'))
    expect(answer).toEqual(example('#### `tools/call`', '**Response**'))
  })

  it.each(['initialize', 'tools/list', 'tools/call'])(
    'writes the keys of the answer to %s in the documented order',
    async (method) => {
      const world = createWorld({ components })
      const section = `#### \`${method}\``
      const answer = await world.rpc(example(section, '**Request**'))
      expect(JSON.stringify(answer)).toBe(JSON.stringify(example(section, '**Response**')))
    },
  )

  it('answers a call of an unknown tool with the documented error', async () => {
    const world = createWorld({ components })
    const answer = await world.rpc(call('unknown-tool', {}, 4))
    expect(JSON.stringify(answer)).toBe(
      JSON.stringify(example('### MCP-Specific Errors', '**Error Response Format**')),
    )
  })

  it('answers the curl commands as they are typed', async () => {
    expect(curls).toHaveLength(2)
    const echo = foreign(
      {
        name: 'example',
        description: 'An example tool',
        inputSchema: { type: 'object', properties: { message: { type: 'string' } } },
      },
      ({ message }) => ({ content: [{ type: 'text', text: `You said: ${message as string}` }] }),
    )
    const world = createWorld({ components: { example: echo } })
    const answers = await Promise.all(
      curls.map(async ([, url = '', header = '', body]) => {
        const [name = '', value = ''] = header.split(': ')
        const request = new Request(url, { method: 'POST', headers: { [name]: value }, body })
        return (await world.send(request)).json() as Promise<unknown>
      }),
    )
    expect(answers).toMatchObject([
      { result: { tools: [{ name: 'example' }] }, id: 1 },
      { result: { content: [{ type: 'text', text: 'You said: Hello' }] }, id: 2 },
    ])
  })

  it.each([
    ['a component that fails', -32002, () => new Response('boom', { status: 500 })],
    ['an answer that is no result', -32002, () => Response.json({ hello: 'world' })],
    ['an answer that is HTML', -32002, () => new Response('<html>')],
  ])('gives %s the code for a tool error', async (_case, code, run) => {
    const world = createWorld({
      components: { broken: foreign({ name: 'b', inputSchema: { type: 'object' } }, run) },
    })
    expect(await world.rpc(call('b', {}))).toMatchObject({
      error: { code, message: 'Tool error', data: { tool: 'b' } },
    })
  })

  it('answers arguments that do not fit with -32602 and the code for the schema', async () => {
    const world = createWorld({ components })
    expect(await world.rpc(call('weather', { location: 5 }))).toEqual({
      jsonrpc: '2.0',
      error: {
        code: -32602,
        message: 'Invalid params',
        data: {
          code: -32003,
          tool: 'weather',
          errors: [{ path: 'location', message: 'must be string' }],
        },
      },
      id: 1,
    })
  })

  it.each([
    [-32700, '{"jsonrpc":', 400],
    [-32600, '{"jsonrpc":"1.0","method":"ping","id":1}', 400],
    [-32601, '{"jsonrpc":"2.0","method":"tools/none","id":1}', 200],
    [-32602, '{"jsonrpc":"2.0","method":"tools/call","params":{},"id":1}', 200],
  ])('gives the standard code %i its documented message', async (code, body, status) => {
    const [, message] = new RegExp(`\\| ${code} \\| (.*?) \\|`).exec(document) ?? []
    const world = createWorld({ components })
    const response = await world.send(post(body))
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: { code, message } })
  })

  it('passes every documented content type through', async () => {
    const sections = ['### Text Content', '### Image Content', '### Resource Content']
    const content = sections.map((section) => example(section, '')) as never[]
    const custom = { type: 'custom/chart', data: [1, 2], metadata: { chartType: 'bar' } } as const
    const world = createWorld({
      components: {
        all: foreign({ name: 'all', inputSchema: { type: 'object' } }, () => ({
          content: [...content, custom],
        })),
      },
    })
    expect(await world.rpc(call('all', {}))).toMatchObject({
      result: { content: [...content, custom] },
    })
  })

  it('finds the components in the documented form of the variable', async () => {
    const [, value] = /tool_components = (\[.*\])/.exec(document) ?? []
    const calculator = foreign({ name: 'add', inputSchema: { type: 'object' } }, () => ({
      content: [],
    }))
    const world = createWorld({
      components: { 'weather-tool': weather, 'calculator-tool': calculator },
      variables: { tool_components: value ?? '' },
    })
    expect(await world.rpc({ jsonrpc: '2.0', method: 'tools/list', id: 1 })).toMatchObject({
      result: { tools: [{ name: 'weather' }, { name: 'add' }] },
    })
  })

  it('lists a tool with the metadata of the documented GET /', async () => {
    const metadata = example('### GET /', '**Response Format**')
    const world = createWorld({
      components: { t: () => Response.json(metadata) },
    })
    expect(await world.rpc({ jsonrpc: '2.0', method: 'tools/list', id: 1 })).toMatchObject({
      result: { tools: [metadata] },
    })
  })
})
