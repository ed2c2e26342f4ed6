import { expect, it } from 'vitest'
import type { Content } from 'ftl-contract'
import { createWorld } from '../../../testing/components.ts'
import { modern } from '../../../testing/modern.ts'
import { withStandardContent } from './own-content.ts'

const TEXT = { type: 'text', text: 'a chart' } as const
const CHART = { type: 'custom/chart', data: [1, 2] } as const
const EMBEDDED = {
  type: 'resource',
  resource: {
    uri: 'urn:ftl:content:1',
    mimeType: 'application/vnd.custom.chart+json',
    text: '{"type":"custom/chart","data":[1,2]}',
  },
  _meta: { 'ftl/content': CHART },
}

const world = createWorld({
  components: {
    all: (request) =>
      Response.json(
        request.method === 'GET'
          ? { name: 'all', inputSchema: { type: 'object' } }
          : { content: [TEXT, CHART] },
      ),
  },
})
const CALL = { jsonrpc: '2.0', method: 'tools/call', params: { name: 'all' }, id: 1 }

it('a plain client gets the content of a tool as it is', async () => {
  expect(await world.rpc(CALL)).toMatchObject({ result: { content: [TEXT, CHART] } })
})

it('a client that names a revision with a handshake gets it as a resource', async () => {
  const answer = await world.rpc(CALL, { 'mcp-protocol-version': '2025-11-25' })
  expect(answer).toMatchObject({ result: { content: [TEXT, EMBEDDED] } })
})

it('a client of 2026-07-28 gets it as a resource', async () => {
  const response = await world.send(modern('tools/call', { name: 'all' }))
  expect(await response.json()).toMatchObject({ result: { content: [TEXT, EMBEDDED] } })
})

it.each([
  ['custom/a b\r\nx-header: 1', 'application/vnd.custom.a.b.x.header.1+json'],
  ['__proto__', 'application/vnd..proto.+json'],
])('a type of %j cannot break the media type', (type, mimeType) => {
  const { content } = withStandardContent({ content: [{ type } as Content] })
  expect(content).toMatchObject([{ type: 'text' }, { resource: { mimeType } }])
})

it.each<[string, Content[], string]>([
  [
    'a link',
    [
      {
        type: 'resource_link',
        uri: 'https://a.example/b.png',
        name: 'b.png',
        mimeType: 'image/png',
      },
    ],
    'b.png (image/png): https://a.example/b.png',
  ],
  [
    'a link with a title',
    [{ type: 'resource_link', uri: 'a:b', name: 'b', title: 'Bee' }],
    'Bee: a:b',
  ],
  ['audio', [{ type: 'audio', data: 'AA==', mimeType: 'audio/wav' }], 'Audio (audio/wav)'],
  ['a blob', [{ type: 'resource', resource: { uri: 'a:b', blob: 'AA==' } }], 'File: a:b'],
])('%s without a text gets one that names it', (_, content, text) => {
  expect(withStandardContent({ content }).content).toEqual([{ type: 'text', text }, ...content])
  const withOwn = { content: [...content, TEXT] }
  expect(withStandardContent(withOwn)).toBe(withOwn)
})

it('structured content alone is a text, too', () => {
  const result = { content: [], structuredContent: { a: 1 } }
  expect(withStandardContent(result)).toEqual({
    ...result,
    content: [{ type: 'text', text: '{"a":1}' }],
  })
  const empty = { content: [] }
  expect(withStandardContent(empty)).toBe(empty)
})

it.each([
  [
    'a client that sends no revision and accepts events',
    { accept: 'application/json, text/event-stream' },
  ],
  ['one that sends it', { 'mcp-protocol-version': '2025-11-25' }],
])('%s gets a text where the tool gave none', async (_, headers) => {
  const link = { type: 'resource_link', uri: 'a:b', name: 'b' }
  const one = (request: Request) =>
    Response.json(
      request.method === 'GET'
        ? { name: 'all', inputSchema: { type: 'object' } }
        : { content: [link] },
    )
  const answer = await createWorld({ components: { one } }).rpc(CALL, headers)
  expect(answer).toMatchObject({ result: { content: [{ type: 'text', text: 'b: a:b' }, link] } })
})

it('a result without such content is not copied', () => {
  const result = { content: [TEXT] }
  expect(withStandardContent(result)).toBe(result)
})
