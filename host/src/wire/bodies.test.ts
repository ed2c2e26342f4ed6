import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { afterEach, expect, test, vi } from 'vitest'
import { HttpError } from '../http/http-error.ts'
import { Pipe, PIPE_CAPACITY } from '../http/pipe.ts'
import { BodyReceiver } from './body-receiver.ts'
import { BodySender } from './body-sender.ts'
import type { BodyMessage } from './messages.ts'
import { filled, wholeBody } from './whole-body.ts'

const ports: MessagePort[] = []
afterEach(() => {
  for (const port of ports.splice(0)) port.close()
})

/** A pipe at each end of a real channel. */
function connected() {
  const { port1, port2 } = new MessageChannel()
  ports.push(port1, port2)
  const source = new Pipe()
  let bytes = 0
  const sender = new BodySender(1, source, (message, transfer) => {
    if (message.type === 'chunk') bytes += message.bytes.length
    port1.postMessage(message, transfer ?? [])
  })
  const receiver = new BodyReceiver(1, (message) => port2.postMessage(message))
  port1.on('message', (message: BodyMessage) => {
    if (message.type === 'ack') sender.ack(message.bytes)
    else if (message.type === 'cancel') sender.cancel()
  })
  port2.on('message', (message: BodyMessage) => {
    if (message.type === 'chunk') receiver.chunk(message.bytes)
    else if (message.type === 'end') receiver.end()
    else if (message.type === 'fail') receiver.fail(message.code, message.message)
  })
  return { source, target: receiver.pipe, sent: () => bytes }
}

const turn = () => new Promise<void>((resolve) => setTimeout(resolve, 5))

/** Writes as a guest does: as much as it is allowed to. */
async function write(pipe: Pipe, total: number): Promise<void> {
  for (let left = total; left > 0;) {
    const permit = pipe.permit()
    if (permit === undefined) return
    if (permit === 0) {
      await new Promise<void>((resolve) => pipe.writable.onReady(resolve))
      continue
    }
    const chunk = new Uint8Array(Math.min(permit, left)).fill(left % 251)
    pipe.write(chunk)
    left -= chunk.length
  }
  pipe.end()
}

async function readAll(pipe: Pipe): Promise<number> {
  let size = 0
  for (;;) {
    const chunk = pipe.read(10_000)
    if (chunk === undefined) return size
    if (chunk.length === 0) await new Promise<void>((resolve) => pipe.onReady(resolve))
    size += chunk.length
  }
}

test('a body of any size arrives whole', async () => {
  const { source, target } = connected()
  const size = 5_000_001
  const [, read] = await Promise.all([write(source, size), readAll(target)])
  expect(read).toBe(size)
})

test('a reader that stands still stops the writer after a bounded number of bytes', async () => {
  const { source, target, sent } = connected()
  const writing = write(source, 50_000_000)
  // It stands still once it has sent as much as may be under way; a busy machine takes a while to that point.
  await vi.waitFor(() => expect(sent()).toBeGreaterThanOrEqual(256 * 1024))
  for (let nth = 0; nth < 20; nth++) await turn()
  const before = sent()
  for (let nth = 0; nth < 10; nth++) await turn()
  expect(sent()).toBe(before)
  expect(before).toBeLessThanOrEqual(256 * 1024 + PIPE_CAPACITY)
  target.cancel()
  await writing
})

test('a reader that goes ends the writing', async () => {
  const { source, target } = connected()
  const writing = write(source, 50_000_000)
  await turn()
  target.cancel()
  await writing
  expect(source.cancelled).toBe(true)
})

test('a writer that breaks off is told after what it had written', async () => {
  const { source, target } = connected()
  source.write(new Uint8Array([1, 2, 3]))
  source.fail(new HttpError('connection-terminated'))
  await vi.waitFor(() => expect(target.ready()).toBe(true))
  expect(target.read(10)).toEqual(new Uint8Array([1, 2, 3]))
  expect(() => target.read(10)).toThrow('connection-terminated')
})

test('a piece of a large buffer takes only itself along', async () => {
  const { source, target } = connected()
  const large = Buffer.alloc(100_000, 7)
  source.write(large.subarray(10, 20))
  source.end()
  await vi.waitFor(() => expect(target.ready()).toBe(true))
  const chunk = target.read(100)
  expect(chunk).toHaveLength(10)
  expect(chunk?.buffer.byteLength).toBe(10)
  // What the writer still holds is untouched.
  expect(large.every((byte) => byte === 7)).toBe(true)
})

test('a body that ends at once is one piece, a long or a late one is not', async () => {
  expect(await wholeBody(filled(new Pipe(), new Uint8Array(1000)))).toHaveLength(1000)
  expect(await wholeBody(filled(new Pipe(), new Uint8Array(200_000)))).toBeUndefined()
  const soon = new Pipe()
  void Promise.resolve().then(() => filled(soon, new Uint8Array(5)))
  expect(await wholeBody(soon)).toHaveLength(5)
  const late = new Pipe()
  const taken = wholeBody(late)
  setTimeout(() => filled(late, new Uint8Array(5)), 5)
  expect(await taken).toBeUndefined()
  await vi.waitFor(() => expect(late.read(10)).toHaveLength(5))
})

test('a body is waited for while its writer is delayed, and not for ever', async () => {
  const soon = new Pipe()
  let delayed = true
  const taken = wholeBody(soon, () => delayed)
  setTimeout(() => {
    delayed = false
    filled(soon, new Uint8Array(5))
  }, 50)
  expect(await taken).toHaveLength(5)
  expect(await wholeBody(new Pipe(), () => true)).toBeUndefined()
})
