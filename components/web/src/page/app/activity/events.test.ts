import { expect, test } from 'vitest'
import { EventParser } from './events.ts'

const STREAM =
  'retry: 2000\n\nevent: hello\ndata: {"version":1}\n\n: nothing new\n\nid: a.7\nevent: request\ndata: {"id":"r: 1"}\n\n'

test('events come whole, whatever the pieces are', () => {
  for (const size of [1, 2, 3, 7, 1000]) {
    const parser = new EventParser()
    const found = []
    for (let at = 0; at < STREAM.length; at += size) {
      found.push(...parser.push(STREAM.slice(at, at + size)))
    }
    expect(found).toEqual([
      { event: 'hello', id: undefined, data: { version: 1 } },
      { event: 'request', id: 'a.7', data: { id: 'r: 1' } },
    ])
  }
})

test('what is not JSON is left out, and an event without an end is an error', () => {
  const parser = new EventParser()
  expect(parser.push('data: {\n\ndata: 1\n\n')).toEqual([
    { event: 'message', id: undefined, data: 1 },
  ])
  expect(() => parser.push('x'.repeat(5 * 1024 ** 2))).toThrow('does not end')
})
