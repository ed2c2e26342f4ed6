import { expect, test } from 'vitest'
import { Pipe, PIPE_CAPACITY } from '../http/pipe.ts'
import { writeStream } from './write-stream.ts'

const PIECE = 64 * 1024

/** Pieces without an end. */
function endless() {
  const seen = { pulls: 0, isCancelled: false }
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        seen.pulls++
        controller.enqueue(new Uint8Array(PIECE))
      },
      cancel: () => void (seen.isCancelled = true),
    },
    { highWaterMark: 0 },
  )
  return { stream, seen }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('no more is read than the pipe holds', async () => {
  const pipe = new Pipe()
  const { stream, seen } = endless()
  void writeStream(stream, pipe)
  for (let nth = 0; nth < 50; nth++) await turn()
  const held = PIPE_CAPACITY / PIECE
  expect(seen.pulls).toBe(held)
  pipe.read(PIECE)
  for (let nth = 0; nth < 50; nth++) await turn()
  expect(seen.pulls).toBe(held + 1)
})

test('a reader that has gone ends the stream', async () => {
  const pipe = new Pipe()
  const { stream, seen } = endless()
  const written = writeStream(stream, pipe)
  pipe.cancel()
  await written
  expect(seen.isCancelled).toBe(true)
})

test('a stream that fails is not taken for a whole body', async () => {
  const pipe = new Pipe()
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.error(new Error('reset'))
    },
  })
  await writeStream(stream, pipe)
  expect(() => pipe.read(1)).toThrow('connection-terminated')
})
