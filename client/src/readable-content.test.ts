import { describe, expect, it } from 'vitest'
import { withReadableContent } from './readable-content.ts'

const first = (item: unknown) =>
  (withReadableContent({ content: [item] })['content'] as unknown[])[0]

const base64 = (...bytes: (number | string)[]) =>
  Buffer.concat(
    bytes.map((each) => Buffer.from(typeof each === 'string' ? each : [each])),
  ).toString('base64')

describe('content of a type that the protocol does not know', () => {
  it('becomes a resource of JSON, and what the protocol knows stays beside it', () => {
    const text = { type: 'text', text: 'a chart' }
    const chart = { type: 'custom/chart', data: [1, 2], metadata: { chartType: 'bar' } }
    expect(withReadableContent({ content: [text, chart], isError: false })).toEqual({
      content: [
        text,
        {
          type: 'resource',
          resource: {
            uri: 'urn:ftl:content:1',
            mimeType: 'application/vnd.custom.chart+json',
            text: JSON.stringify(chart),
          },
          _meta: { 'ftl/content': chart },
        },
      ],
      isError: false,
    })
  })

  it.each([{ type: 'text' }, { type: '__proto__/x' }, { type: 5 }, {}, null, 'text', [[]]])(
    'a server that sends %j loses nothing and breaks nothing',
    (item) => {
      expect(first(item)).toMatchObject({
        type: 'resource',
        resource: {
          mimeType: expect.stringMatching(
            /^application\/(vnd\.proto\.x\+|vnd\.\.proto\.x\+)?json$/,
          ) as string,
          text: JSON.stringify(item),
        },
      })
    },
  )

  it('a result that is valid is not copied', () => {
    const result = { content: [{ type: 'text', text: 'a' }] }
    expect(withReadableContent(result)).toBe(result)
    expect(withReadableContent({ tools: [] })).toEqual({ tools: [] })
  })
})

describe('an image or audio without mimeType', () => {
  it.each([
    ['image', base64(0x89, 'PNG\r\n'), 'image/png'],
    ['image', base64(0xff, 0xd8, 0xff, 0xe0), 'image/jpeg'],
    ['image', base64('GIF89a'), 'image/gif'],
    ['image', base64('RIFF....WEBPVP8 '), 'image/webp'],
    ['image', base64('<?xml version="1.0"?><svg'), 'image/svg+xml'],
    ['image', base64('something else'), 'image/png'],
    ['audio', base64('RIFF....WAVEfmt '), 'audio/wav'],
    ['audio', base64('ID3'), 'audio/mpeg'],
    ['audio', base64('OggS'), 'audio/ogg'],
    ['audio', base64(0x89, 'PNG'), 'audio/wav'],
  ])('%s %s is %s', (type, data, mimeType) => {
    expect(first({ type, data })).toEqual({ type, data, mimeType })
  })

  it('keeps the type that the server names, even a wrong one', () => {
    const item = { type: 'image', data: base64('GIF89a'), mimeType: 'image/png' }
    expect(first(item)).toBe(item)
  })

  it('data that is not base64 stays visible as JSON', () => {
    const item = { type: 'image', data: 'not base64!' }
    expect(first(item)).toMatchObject({ resource: { mimeType: 'application/json' } })
  })
})
