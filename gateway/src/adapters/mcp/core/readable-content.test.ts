import { describe, expect, it } from 'vitest'
import type { Content, ToolResult } from 'ftl-contract'
import { modern } from '../../../testing/modern.ts'
import { createWorld, call, post } from '../../../testing/components.ts'
import { readableContent } from './readable-content.ts'

const LINK = {
  type: 'resource_link',
  uri: 'https://a.example/b.png',
  name: 'b.png',
  mimeType: 'image/png',
} as const
const LINK_TEXT = { type: 'text', text: 'b.png (image/png): https://a.example/b.png' } as const
const AUDIO = { type: 'audio', data: 'AA==', mimeType: 'audio/wav' } as const
const BLOB = { type: 'resource', resource: { uri: 'a:b', blob: 'AA==' } } as const
const NOTE = { type: 'resource', resource: { uri: 'a:c', text: 'a note' } } as const
const TEXT = { type: 'text', text: 'Done.' } as const

function read(content: Content[], query: string, more: Partial<ToolResult> = {}) {
  const request = new Request(`http://localhost:3000/mcp${query}`)
  return readableContent({ content, ...more }, { request }, { params: {} }).content
}

describe('beside what several clients drop', () => {
  it.each<[string, Content[], Content[]]>([
    ['a link', [TEXT, LINK], [TEXT, LINK_TEXT, LINK]],
    ['a link alone', [LINK], [LINK_TEXT, LINK]],
    [
      'a title',
      [{ ...LINK, title: 'Bee' }],
      [
        { type: 'text', text: 'Bee (image/png): https://a.example/b.png' },
        { ...LINK, title: 'Bee' },
      ],
    ],
    ['audio', [AUDIO], [{ type: 'text', text: 'Audio (audio/wav)' }, AUDIO]],
    ['a text in a resource alone', [NOTE], [{ type: 'text', text: 'a note' }, NOTE]],
    ['a blob', [BLOB], [{ type: 'text', text: 'File: a:b' }, BLOB]],
  ])('is a text: %s', (_, content, expected) => {
    expect(read(content, '?links=beside')).toEqual(expected)
  })

  it.each<[string, Content[]]>([
    ['an address that a text has', [{ type: 'text', text: `It is at ${LINK.uri}.` }, LINK]],
    ['a text in a resource beside another', [TEXT, NOTE]],
    ['texts and images', [TEXT, { type: 'image', data: 'AA==', mimeType: 'image/png' }]],
  ])('is none: %s', (_, content) => {
    expect(read(content, '?links=beside')).toEqual(content)
  })
})

it('with links=text there is one text, and images after it', () => {
  const image = { type: 'image', data: 'AA==', mimeType: 'image/png' } as const
  const content = [image, TEXT, LINK, AUDIO, BLOB, NOTE, { type: 'custom/a', b: 1 }] as Content[]
  const text = [
    'Image (image/png)',
    'Done.',
    LINK_TEXT.text,
    'Audio (audio/wav)',
    'File: a:b',
    'a note',
    '{"type":"custom/a","b":1}',
  ].join('\n\n')
  expect(read(content, '?links=text')).toEqual([{ type: 'text', text }, image])
  expect(read([TEXT, TEXT], '?client=smolagents')).toEqual([
    { type: 'text', text: 'Done.\n\nDone.' },
  ])
  expect(read([image, image], '?links=text')).toEqual([image, image])
})

it('with links=only-text nothing is left that is not a text', () => {
  const image = { type: 'image', data: 'AA==', mimeType: 'image/png' } as const
  const said = (text: string) => [{ type: 'text', text }]
  expect(read([image], '?links=only-text')).toEqual(said('Image (image/png)'))
  expect(read([TEXT, image, LINK], '?client=langchain4j')).toEqual(
    said(`Done.\n\nImage (image/png)\n\n${LINK_TEXT.text}`),
  )
})

it('for a client that reads the first content only, a text names what is behind it', () => {
  const image = { type: 'image', data: 'AA==', mimeType: 'image/png' } as const
  const both = (text: string) => [{ type: 'text', text }, image]
  expect(read([image], '?client=smolagents')).toEqual([image])
  expect(read([TEXT, image], '?client=smolagents')).toEqual(both('Done.\n\nImage (image/png)'))
  expect(read([image, TEXT], '?client=smolagents')).toEqual(both('Image (image/png)\n\nDone.'))
})

it('a result without content is the text of what it has', () => {
  const more = { structuredContent: { a: 1 } }
  expect(read([], '?links=text', more)).toEqual([{ type: 'text', text: '{"a":1}' }])
  expect(read([], '?links=text')).toEqual([{ type: 'text', text: 'No content.' }])
  expect(read([], '', more)).toEqual([])
})

describe('through the gateway', () => {
  const one = (request: Request) =>
    Response.json(
      request.method === 'GET'
        ? { name: 'all', inputSchema: { type: 'object' } }
        : { content: [LINK] },
    )
  const world = createWorld({ components: { one } })
  const LEGACY = { 'mcp-protocol-version': '2025-11-25' }
  const CALL = call('all', {})
  const byName = (name: string) =>
    modern(
      'tools/call',
      { name: 'all' },
      { meta: { 'io.modelcontextprotocol/clientInfo': { name, version: '1' } } },
    )

  it.each([
    ['the SDK of Python', post(CALL, { ...LEGACY, 'user-agent': 'python-httpx/0.28.1' })],
    ['strands', byName('mcp')],
    ['openai-agents', modern('tools/call', { name: 'all' }, { meta: { 'ftl/reach': {} } })],
    ['a client that its address names', post(CALL, LEGACY, '/mcp?client=agno')],
    ['one that asks in a header', post(CALL, { ...LEGACY, 'ftl-client-options': 'links=beside' })],
  ])('%s gets a text beside it', async (_, request) => {
    const answer: unknown = await (await world.send(request)).json()
    expect(answer).toMatchObject({ result: { content: [LINK_TEXT, LINK] } })
  })

  it.each([
    ['a client of 2025-11-25', post(CALL, { ...LEGACY, 'user-agent': 'node' })],
    ['a client of 2026-07-28', byName('__proto__')],
    ['a plain client', post(CALL, { 'user-agent': 'python-httpx/0.28.1' })],
    ['one that does not want it', post(CALL, LEGACY, '/mcp?client=agno&links=as-is')],
  ])('%s gets the content as it is', async (_, request) => {
    const answer: unknown = await (await world.send(request)).json()
    expect((answer as { result: { content: unknown } }).result.content).toEqual([LINK])
  })
})
