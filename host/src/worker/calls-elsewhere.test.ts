// Both sides of a call between workers, without the threads: each gets the other's messages.
import { expect, test } from 'vitest'
import { HttpError } from '../http/http-error.ts'
import type { HttpRequest, HttpResponse } from '../http/messages.ts'
import { Pipe } from '../http/pipe.ts'
import { CallTree } from '../instance/call-tree.ts'
import { InnerCall } from '../pool/inner-call.ts'
import type { FromWorker, ToWorker } from '../wire/messages.ts'
import { filled } from '../wire/whole-body.ts'
import { CallsElsewhere } from './calls-elsewhere.ts'

const LONG = new Uint8Array(1_000_000).map((_, at) => at % 251)

interface Sent {
  call: Extract<FromWorker, { type: 'call' }>
  request: HttpRequest
}

/** @param answer of the other worker */
function connected(answer: (request: HttpRequest) => Promise<HttpResponse>) {
  const sent: Sent[] = []
  const calls = new Map<number, InnerCall>()
  const toWorker = (message: ToWorker) => queueMicrotask(() => elsewhere.receive(message as never))
  const elsewhere = new CallsElsewhere((message) =>
    queueMicrotask(() => {
      if (message.type !== 'call') {
        const inner = 'id' in message ? calls.get(message.id) : undefined
        return message.type === 'left' ? inner?.left() : inner?.receive(message as never)
      }
      const call = new InnerCall(message, toWorker, () => calls.delete(message.id))
      calls.set(message.id, call)
      sent.push({ call: message, request: call.request })
      void call.follow(answer(call.request))
    }),
  )
  const tree = new CallTree({
    id: 7,
    components: ['gateway', 'tool'],
    headers: [['x-forwarded-user', 'ada']],
    sender: 'ada',
  })
  tree.callers.set('ftl-principal', 'ada')
  const send = (body: Pipe, signal?: AbortSignal) => {
    const head = { method: 'POST', scheme: 'http', authority: 'tool.spin.internal' } as const
    const request = { ...head, path: '/call', headers: [['accept', 'text/plain']] as const, body }
    const place = tree.place('tool')
    return elsewhere.send('tool', { ...request, depth: 1, tree, place, ...(signal && { signal }) })
  }
  return { send, sent, calls, elsewhere, tree }
}

async function read(pipe: Pipe): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for (;;) {
    const chunk = pipe.read(64 * 1024)
    if (chunk === undefined) return Buffer.concat(chunks)
    if (chunk.length > 0) chunks.push(chunk)
    else await new Promise<void>((resolve) => void pipe.onReady(resolve))
  }
}

const whole = (bytes: Uint8Array) => filled(new Pipe(), bytes)

test.each([
  ['short', LONG.slice(0, 10)],
  ['long', LONG],
])('%s bodies arrive in both directions, and the callee learns who calls', async (_, bytes) => {
  const { send, sent, calls, elsewhere } = connected(async (request) => ({
    status: 201,
    headers: [['x-answer', 'yes']],
    body: whole(await read(request.body)),
  }))
  const { status, headers, body } = await send(whole(bytes))
  expect([status, headers]).toEqual([201, [['x-answer', 'yes']]])
  expect(Buffer.compare(await read(body), bytes)).toBe(0)
  expect(sent[0]?.call).toMatchObject({
    request: 7,
    component: 'tool',
    origin: {
      depth: 1,
      headers: [['x-forwarded-user', 'ada']],
      callers: [['ftl-principal', 'ada']],
    },
  })
  expect([calls.size, elsewhere.size]).toEqual([0, 0])
})

test('a worker that is lost is a component that failed', async () => {
  const { send, elsewhere } = connected(() => Promise.reject(new HttpError('internal-error')))
  expect(await send(Pipe.empty())).toMatchObject({ status: 500, headers: [] })
  expect(elsewhere.size).toBe(0)
})

test('other errors reach the caller as they are', async () => {
  const refused = new HttpError('connection-limit-reached', 'too many')
  const { send, elsewhere } = connected(() => Promise.reject(refused))
  await expect(send(Pipe.empty())).rejects.toMatchObject({ code: 'connection-limit-reached' })
  expect(elsewhere.size).toBe(0)
})

test('a component that answers early still receives the rest of the body', async () => {
  let received: Promise<Uint8Array> | undefined
  const { send, calls, elsewhere } = connected(async ({ body }) => {
    received = read(body)
    return { status: 202, headers: [], body: Pipe.empty() }
  })
  const body = new Pipe()
  expect(await send(body)).toMatchObject({ status: 202 })
  filled(body, LONG)
  expect(Buffer.compare((await received) ?? new Uint8Array(), LONG)).toBe(0)
  expect([calls.size, elsewhere.size]).toEqual([0, 0])
})

test('a component that answers and reads no more ends the call', async () => {
  const { send, calls, elsewhere } = connected(async ({ body }) => {
    setTimeout(() => body.cancel())
    return { status: 202, headers: [], body: Pipe.empty() }
  })
  const body = new Pipe()
  await send(body)
  await expect.poll(() => body.cancelled).toBe(true)
  expect([calls.size, elsewhere.size]).toEqual([0, 0])
})

test('what a gateway in the other worker reports about the client reaches the request', async () => {
  const report = { principal: 'ada', calls: 3 }
  const { send, tree } = connected(async () => ({
    ...{ status: 200, headers: [], body: Pipe.empty(), report },
  }))
  await send(Pipe.empty())
  expect(tree.report).toEqual(report)
})

test('a caller that leaves ends the call on both sides, before the answer and within it', async () => {
  const { send, sent, calls, elsewhere } = connected(() => new Promise(() => {}))
  const client = new AbortController()
  const answer = send(Pipe.empty(), client.signal)
  await expect.poll(() => sent.length).toBe(1)
  client.abort()
  await expect(answer).rejects.toMatchObject({ code: 'connection-terminated' })
  await expect.poll(() => sent[0]?.request.signal?.aborted).toBe(true)
  expect([calls.size, elsewhere.size]).toEqual([0, 0])

  const written = new Pipe()
  const other = connected(async () => ({ status: 200, headers: [], body: written }))
  written.write(LONG)
  const { body } = await other.send(Pipe.empty())
  body.cancel()
  await expect.poll(() => written.cancelled).toBe(true)
  expect([other.calls.size, other.elsewhere.size]).toEqual([0, 0])
})
