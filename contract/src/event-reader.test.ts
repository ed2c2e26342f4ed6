// Cases of https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EventReader } from './event-reader.ts'

const STREAMS: [name: string, stream: string, events: string[]][] = [
  ['one event', 'data: a\n\n', ['a']],
  ['with other fields', 'event: message\nid: 1\nretry: 5\ndata: a\n\n', ['a']],
  ['several lines', 'data: YHOO\ndata: +2\ndata: 10\n\n', ['YHOO\n+2\n10']],
  ['comments', ': test stream\n\ndata: first\n\n:\n\ndata:second\n\n', ['first', 'second']],
  ['no data', 'id: 1\n\ndata\n\ndata\ndata\n\n', ['', '\n']],
  [
    'one space is taken off',
    'data:test\n\ndata: test\n\ndata:  test\n\n',
    ['test', 'test', ' test'],
  ],
  ['CR LF', 'data: a\r\ndata: b\r\n\r\n', ['a\nb']],
  ['CR', 'data: a\rdata: b\r\rdata: c\r\r\n', ['a\nb', 'c']],
  ['not ended', 'data: a\n\ndata: b\n', ['a']],
]

describe.each(STREAMS)('%s', (_, stream, events) => {
  it.each([1, 2, 3, 1000])('in pieces of %i', (size) => {
    const reader = new EventReader()
    const found: string[] = []
    for (let at = 0; at < stream.length; at += size) {
      found.push(...reader.push(stream.slice(at, at + size)).map(({ data }) => data))
    }
    expect(found).toEqual(events)
  })
})

/** The lines of a stream that has ended, as the specification has them. */
const linesOf = (stream: string) => stream.split(/\r\n|\n|\r/)

it('finds the ends of lines wherever a stream is cut', () => {
  const piece = fc.string({ unit: fc.constantFrom('\r', '\n', 'a'), maxLength: 6 })
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 8 }),
      fc.integer({ min: 1, max: 7 }),
      (pieces, size) => {
        const reader = new EventReader()
        const found: string[] = []
        // What is data shows where lines end.
        const stream = pieces.join('').replaceAll('a', 'data:a')
        for (let at = 0; at < stream.length; at += size) {
          for (const { data } of reader.push(stream.slice(at, at + size))) found.push(data)
        }
        found.push(...reader.push('.\n\n').map(({ data }) => data))
        const expected = linesOf(`${stream}.\n\n`)
          .join('\n')
          .split('\n\n')
          .map((block) => block.split('\n').filter((line) => line.startsWith('data:')))
          .filter((lines) => lines.length > 0)
          .map((lines) => lines.map((line) => line.slice(5)).join('\n'))
        expect(found).toEqual(expected)
      },
    ),
  )
})

it('puts a long line together once', () => {
  const reader = new EventReader()
  const piece = 'x'.repeat(64 * 1024)
  reader.push('data: ')
  for (let pieces = 0; pieces < 200; pieces++) expect(reader.push(piece)).toEqual([])
  expect(reader.push('\n\n')[0]?.data).toHaveLength(200 * piece.length)
})

it('names an event, and has the last id of the stream', () => {
  const reader = new EventReader()
  const stream = 'data: a\n\nid: 7\nevent: request\ndata: b\n\nevent:other\n\ndata: c\n\n'
  expect(reader.push(stream)).toEqual([
    { event: 'message', id: undefined, data: 'a' },
    { event: 'request', id: '7', data: 'b' },
    { event: 'message', id: '7', data: 'c' },
  ])
})
