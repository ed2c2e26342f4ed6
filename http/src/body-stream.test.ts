import { describe, expect, it } from 'vitest'
import { BodyTooLarge } from './body.ts'
import { readLines, readPieces } from './body-stream.ts'
import { DeadlineExceeded, startDeadline } from './deadline.ts'

const patient = { race: <T>(work: Promise<T>) => work }
const limits = { limit: 1_000, deadline: patient }

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const item of items) list.push(item)
  return list
}

/** A body in these pieces, and what was done to it. */
function body(pieces: Uint8Array[], end = true) {
  const seen = { cancelled: false }
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = pieces.shift()
      if (piece) controller.enqueue(piece)
      else if (end) controller.close()
      else return new Promise(() => {})
    },
    cancel() {
      seen.cancelled = true
    },
  })
  return { response: new Response(stream), seen }
}

const bytes = (text: string) => new TextEncoder().encode(text)

/** The bytes of a text in pieces of one size. */
function cut(text: string, size: number): Uint8Array[] {
  const whole = bytes(text)
  const count = Math.ceil(whole.length / size)
  return Array.from({ length: count }, (_, at) => whole.slice(at * size, (at + 1) * size))
}

describe('lines', () => {
  it.each([1, 2, 3, 1_000])('do not depend on pieces of %i bytes', async (size) => {
    const { response } = body(cut('{"a":"ä€😀"}\n\n{"b":1}\r\nlast', size))
    expect(await all(readLines(response, limits))).toEqual(['{"a":"ä€😀"}', '', '{"b":1}', 'last'])
  })

  it.each([
    ['', []],
    ['\n', ['']],
    ['a\n', ['a']],
  ])('of %j are %j', async (text, expected) => {
    const { response } = body(cut(text, 1))
    expect(await all(readLines(response, limits))).toEqual(expected)
  })

  it('come while the body goes on, which is cancelled when nobody reads further', async () => {
    const { response, seen } = body([bytes('a\nb')], false)
    const lines = readLines(response, limits)
    expect(await lines.next()).toEqual({ done: false, value: 'a' })
    await lines.return()
    expect(seen.cancelled).toBe(true)
  })
})

it('stops at the limit and reads no further', async () => {
  const { response, seen } = body(cut('x'.repeat(2_000), 300))
  await expect(all(readPieces(response, limits))).rejects.toThrow(BodyTooLarge)
  expect(seen.cancelled).toBe(true)
})

it('ends at the deadline without cancelling the read that waits', async () => {
  const { response, seen } = body([bytes('a')], false)
  const deadline = startDeadline(20)
  const read = all(readPieces(response, { limit: 1_000, deadline }))
  await expect(read).rejects.toThrow(DeadlineExceeded)
  expect(seen.cancelled).toBe(false)
})

it('is empty without a body', async () => {
  expect(await all(readPieces(new Response(null), limits))).toEqual([])
})
