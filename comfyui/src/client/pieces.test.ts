import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Interrupted, Pieces, WrongLength } from './pieces.ts'

const streamOf = (parts: readonly Uint8Array<ArrayBuffer>[]) =>
  new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })

async function all(pieces: Pieces): Promise<number[]> {
  const read: number[] = []
  for (;;) {
    const piece = await pieces.next()
    if (piece.done === true) return read
    read.push(...piece.value)
  }
}

test('the head is given again, however the body is cut', async () => {
  const parts = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(parts, fc.nat(120), async (cut, wanted) => {
      const whole = cut.flatMap((part) => [...part])
      const copies = cut.map((part) => new Uint8Array(part))
      const pieces = new Pieces(streamOf(copies), { announced: whole.length, maxBytes: 1000 })
      expect([...(await pieces.head(wanted))]).toEqual(whole.slice(0, wanted))
      expect(await all(pieces)).toEqual(whole)
      expect(pieces.count).toBe(whole.length)
    }),
  )
})

test('an announced length over the limit is refused before anything is read', async () => {
  let isRead = false
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>(
    { pull: () => void (isRead = true) },
    { highWaterMark: 0 },
  )
  const pieces = new Pieces(stream, { announced: 11, maxBytes: 10 })
  await expect(pieces.head(1)).rejects.toMatchObject({ isTooLong: true })
  expect(isRead).toBe(false)
})

test.each([
  ['more', 2, false],
  ['less', 4, false],
  ['more than the limit', undefined, true],
])('a body with %s than it should have is an error', async (_, announced, isTooLong) => {
  const maxBytes = isTooLong ? 2 : 100
  const pieces = new Pieces(streamOf([new Uint8Array(3)]), { announced, maxBytes })
  const error = await all(pieces).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(WrongLength)
  expect(error).toMatchObject({ isTooLong })
})

test('a body that breaks off fails its reader', async () => {
  const broken = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => controller.error(new Error('reset')),
  })
  const pieces = new Pieces(broken, { announced: undefined, maxBytes: 10 })
  await expect(pieces.next()).rejects.toBeInstanceOf(Interrupted)
})
