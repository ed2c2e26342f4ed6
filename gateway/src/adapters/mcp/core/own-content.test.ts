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
  expect(content).toMatchObject([{ resource: { mimeType } }])
})

it('a result without such content is not copied', () => {
  const result = { content: [TEXT] }
  expect(withStandardContent(result)).toBe(result)
})
