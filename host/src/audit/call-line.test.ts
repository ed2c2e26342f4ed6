import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BegunCalls, CALL_END, callOf, isBegin } from './call-line.ts'

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

test('the id of a call is where a pattern finds it, in any line', () => {
  const pattern = /^"time":"[^"\\]{1,40}","call":"([\w-]{1,64})",/
  const piece = fc.oneof(
    fc.constantFrom('"time":"', '2026', '","call":"', '"', ',', '\\', '\\"', 'a-1', '", "'),
    fc.string({ maxLength: 45 }),
  )
  const nearly = fc.tuple(
    fc.constant('"time":"'),
    piece,
    fc.constant('","call":"'),
    piece,
    piece,
    piece,
  )
  const texts = fc.oneof(fc.array(piece, { maxLength: 8 }), nearly).map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(texts, (text) => {
      expect(callOf(CALL_END + text)).toBe(pattern.exec(text)?.[1])
      expect(callOf(text)).toBeUndefined()
    }),
    { numRuns: 2000 },
  )
})

test.each([
  ['40 characters of a time', '"time":"', 'T'.repeat(40), 'a', 'a'],
  ['41 characters of a time', '"time":"', 'T'.repeat(41), 'a', undefined],
  ['no time', '"time":"', '', 'a', undefined],
  ['an escape in the time', '"time":"', 'a\\n', 'a', undefined],
  ['64 characters of an id', '"time":"', 'T', 'a'.repeat(64), 'a'.repeat(64)],
  ['65 characters of an id', '"time":"', 'T', 'a'.repeat(65), undefined],
  ['no id', '"time":"', 'T', '', undefined],
])('%s', (_, start, time, call, id) => {
  expect(callOf(`${CALL_END}${start}${time}","call":"${call}","outcome":"ok"}`)).toBe(id)
})
