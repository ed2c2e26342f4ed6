import { expect, test } from 'vitest'
import { BegunCalls, isBegin } from './call-line.ts'

const begin = (call: string) =>
  `{"audit":1,"event":"begin","time":"2026-11-24T10:00:00.000Z","call":"${call}","request":"r","tool":"a\\u200b"}`
const end = (call: string) =>
  `{"audit":1,"event":"call","time":"2026-11-24T10:00:01.000Z","call":"${call}","outcome":"ok"}`

test('a call that has begun and has no end gets one, with all that its beginning says', () => {
  const calls = new BegunCalls()
  for (const line of [begin('a'), begin('b'), end('a'), '{"audit":1,"event":"decision"}', '{']) {
    calls.take(line)
  }
  const [line = '', ...more] = calls.end('killed', 'the host ends')
  expect(more).toEqual([])
  expect(isBegin(line)).toBe(false)
  // Escapes stay as they are.
  expect(line).toContain('a\\u200b')
  expect(JSON.parse(line)).toEqual({
    ...{ audit: 1, event: 'call', call: 'b', request: 'r', tool: 'a\u200b' },
    ...{ outcome: 'killed', reason: 'the host ends' },
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
    ms: expect.any(Number) as number,
  })
  expect(calls.end('killed', 'again')).toEqual([])
})

test('an end can be ended by a real one only', () => {
  const calls = new BegunCalls()
  calls.take(begin('a'))
  // A text of a client may look like one.
  calls.take(`{"audit":1,"event":"call","time":"2026","request":"\\"call\\":\\"a\\","}`)
  expect(calls.end('unknown', 'x')).toHaveLength(1)
})
