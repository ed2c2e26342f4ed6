import { describe, expect, it } from 'vitest'
import { isStillTheSame, parseRange, slice } from './byte-range.ts'

describe('a range of a file of 100 bytes', () => {
  // The examples of RFC 9110, 14.1.2, for another size.
  it.each([
    ['bytes=0-49', { first: 0, last: 49 }],
    ['bytes=50-99', { first: 50, last: 99 }],
    ['bytes=-5', { first: 95, last: 99 }],
    ['bytes=95-', { first: 95, last: 99 }],
    ['Bytes=0-0', { first: 0, last: 0 }],
    ['bytes=90-1000', { first: 90, last: 99 }],
    ['bytes=-1000', { first: 0, last: 99 }],
    ['bytes=100-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=9-8', undefined],
    ['bytes=0-1,4-5', undefined],
    ['bytes=-', undefined],
    ['lines=0-1', undefined],
    [null, undefined],
  ])('%s', (header, range) => expect(parseRange(header, 100)).toEqual(range))
})

describe('If-Range', () => {
  const date = 'Wed, 21 Oct 2026 07:28:00 GMT'
  const headers = new Headers({ etag: '"a"', 'last-modified': date })
  it.each([
    [null, true],
    ['"a"', true],
    ['"b"', false],
    ['W/"a"', false],
    [date, true],
    ['Wed, 21 Oct 2020 07:28:00 GMT', false],
  ])('%s', (value, same) => expect(isStillTheSame(value, headers)).toBe(same))
})

it('a part of a stream ends the reading of the rest', async () => {
  let next = 0
  let cancelled = false
  const source = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: (controller) => controller.enqueue(new Uint8Array([next++, next++, next++])),
    cancel: () => void (cancelled = true),
  })
  const part = source.pipeThrough(slice({ first: 4, last: 9 }))
  expect([...new Uint8Array(await new Response(part).arrayBuffer())]).toEqual([4, 5, 6, 7, 8, 9])
  await expect.poll(() => cancelled).toBe(true)
})
