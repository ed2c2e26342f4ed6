import { describe, expect, it } from 'vitest'
import { Artifacts } from './artifacts.ts'
import { resultText } from './result-text.ts'
import type { Item } from './tool-end.ts'

const GATEWAY = 'http://mcp-gateway.spin.internal'
const call = { id: '1', name: 'draw', arguments: '{"a":1}' }
const ended = (...content: Item[]) => ({
  call,
  tool: 'draw',
  arguments: { a: 1 },
  end: { isError: false, content, jobId: 'j' },
})
const link = (uri: string, mimeType?: string) => ({
  type: 'resource_link',
  uri,
  name: 'x.png',
  mimeType,
})

describe('what tools have made', () => {
  it('is told with its address, what it was made with and by', () => {
    const made = new Artifacts().add(ended(link(`${GATEWAY}/outputs/x.png`, 'image/png')))
    expect(made).toEqual([
      {
        id: 'artifact-1',
        type: 'image',
        title: 'x.png',
        mimeType: 'image/png',
        url: '/outputs/x.png',
        tool: 'draw',
        jobId: 'j',
        arguments: { a: 1 },
      },
    ])
  })

  it('has its prompt for a title where its name is only an id', () => {
    const name = 'e4d0d702-079c-45a7-b3f1-f0d47cefe3a3-2.png'
    const item = { ...link('/outputs/x.png', 'image/png'), name }
    const drawn = { ...ended(item), arguments: { prompt: 'a  lighthouse' } }
    expect(new Artifacts().add(drawn)).toMatchObject([{ title: 'a lighthouse' }])
    expect(new Artifacts().add(ended(item))).toMatchObject([{ title: 'draw' }])
    const long = { ...drawn, arguments: { prompt: 'x'.repeat(200) } }
    expect(new Artifacts().add(long)[0]?.title).toHaveLength(100)
  })

  it('is told once, in one result or in several', () => {
    const artifacts = new Artifacts()
    const same = link('https://a.example/1')
    expect(artifacts.add(ended(same, same))).toHaveLength(1)
    expect(artifacts.add(ended(same, link('https://a.example/2')))).toHaveLength(1)
    expect(artifacts.all.map(({ id }) => id)).toEqual(['artifact-1', 'artifact-2'])
  })

  it.each([
    [
      'sound',
      { type: 'audio', data: 'AA==', mimeType: 'audio/mpeg' },
      'audio',
      'data:audio/mpeg;base64,AA==',
    ],
    [
      'a file',
      { type: 'resource', resource: { uri: 'f://x', blob: 'AA==', mimeType: 'application/pdf' } },
      'resource',
      'data:application/pdf;base64,AA==',
    ],
    [
      'a text',
      { type: 'resource', resource: { uri: 'f://x', text: 'é#\ud83c', mimeType: 'text/csv' } },
      'resource',
      'data:text/csv;charset=utf-8,%C3%A9%23%EF%BF%BD',
    ],
    ['an address', link('https://a.example/page', 'text/html'), 'link', 'https://a.example/page'],
  ])('%s', (_, item, type, url) => {
    expect(new Artifacts().add(ended(item))).toMatchObject([{ type, url }])
  })

  it.each(['javascript:alert(1)', 'file:///etc/passwd', '//evil.example/x', 'vbscript:x'])(
    '%s is no address to follow',
    (uri) => {
      expect(new Artifacts().add(ended(link(uri, 'image/png')))).toEqual([])
    },
  )

  it('has no type that could end an address early', () => {
    const item = { type: 'image', data: 'AA==', mimeType: 'image/png;x,<script>' }
    expect(new Artifacts().add(ended(item))).toMatchObject([{ url: 'data:image/png;base64,AA==' }])
  })
})

describe('a result as the model reads it', () => {
  const text = (content: Item[], more: object = {}) =>
    resultText({ isError: false, content, ...more })

  it('has the texts, and no bytes', () => {
    const bytes = 'A'.repeat(50_000)
    const said = text([
      { type: 'text', text: 'Here.' },
      { type: 'image', data: bytes, mimeType: 'image/png' },
    ])
    expect(said).toBe('Here.\n[image image/png, already shown to the user]')
  })

  it('has addresses as the user would follow them', () => {
    expect(text([link(`${GATEWAY}/outputs/x.png`, 'image/png')])).toContain(
      'image/png: /outputs/x.png',
    )
    expect(text([{ type: 'text', text: `See ${GATEWAY}/outputs/x.png` }])).toBe(
      'See /outputs/x.png',
    )
  })

  it('has no link that opens a file without a token', () => {
    const address = `${GATEWAY}/outputs/x.png?link=mk000000.${'m'.repeat(43)}`
    const said = text([{ type: 'text', text: `See ${address}.` }, link(address, 'image/png')])
    expect(said).toContain('See /outputs/x.png.')
    expect(said).not.toContain('link=')
  })

  it('is cut where it is long, and says so', () => {
    const said = text([{ type: 'text', text: 'x'.repeat(30_000) }])
    expect(said.length).toBeLessThan(20_100)
    expect(said).toContain('10000 more characters')
  })

  it('says that it is an error', () => {
    expect(resultText({ isError: true, content: [{ type: 'text', text: 'No.' }] })).toBe(
      'Error: No.',
    )
  })

  it('is the structured content where there is no text', () => {
    expect(text([], { structuredContent: { a: 1 } })).toBe('{"a":1}')
    expect(text([])).toMatch(/nothing to show/)
  })
})
