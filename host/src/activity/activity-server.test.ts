// Readers of the stream over real sockets.
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { RequestFollower } from '../requests/request-events.ts'
import { Activity } from './activity.ts'
import { ActivityServer } from './activity-server.ts'

let activity: Activity
let answers: ActivityServer
let server: Server
let port: number
const sockets: Socket[] = []

beforeEach(async () => {
  activity = new Activity({
    application: { name: 'test', version: undefined },
    components: ['echo'],
    instances: () => [],
    development: false,
    limits: { entries: 50, bytes: 4 * 1024 ** 2 },
  })
  answers = new ActivityServer(activity, { stalledMs: 300 })
  server = createServer((request, response) => answers.answer(request, response))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  ;({ port } = server.address() as AddressInfo)
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  answers.close()
  server.closeAllConnections()
  await new Promise((closed) => server.close(closed))
})

/** A request that has ended. */
function happened(id: string, lines = 0): void {
  const headers = { 'x-request-id': id }
  const start = { method: 'POST', path: '/mcp', route: '/...', headers, client: undefined }
  const record: RequestFollower = activity.begin(start)
  record.flies?.('echo', undefined)
  for (let i = 0; i < lines; i++) record.line?.('echo', 'stdout', 'x'.repeat(60))
  record.end?.({
    ...{ method: 'POST', path: '/mcp', route: '/...', components: ['echo'], status: 200 },
    ...{ milliseconds: 1, bytes: 1, outcome: 'answered', reason: undefined, requestId: id },
  })
}

async function open(path = '/activity', headers: readonly string[] = []) {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  const received: string[] = []
  socket.on('data', (bytes: Buffer) => received.push(bytes.toString()))
  socket.on('error', () => {})
  socket.write(
    [`GET ${path} HTTP/1.1`, 'Host: a', 'Accept: text/event-stream', ...headers, '', ''].join(
      '\r\n',
    ),
  )
  const until = (wanted: string) =>
    vi.waitFor(() => expect(received.join('')).toContain(wanted), { timeout: 3000, interval: 10 })
  await until('event: hello')
  return { socket, until, text: () => received.join('') }
}

test('a reader gets what happened before and what happens then', async () => {
  happened('before')
  const reader = await open()
  await reader.until('"id":"before"')
  happened('after')
  await reader.until('"id":"after"')
  expect(reader.text()).toContain('"resumed":false')
})

test('a reader that comes back gets only what has changed', async () => {
  happened('one')
  const first = await open()
  await first.until('"id":"one"')
  const ids = [...first.text().matchAll(/^id: (\S+)$/gm)]
  happened('two')
  const again = await open('/activity', [`Last-Event-ID: ${ids.at(-1)?.[1]}`])
  await again.until('"id":"two"')
  expect(again.text()).toContain('"resumed":true')
  expect(again.text()).not.toContain('"id":"one"')
})

test.each(['deadbeef.1', 'x', '', '.', '__proto__', `${'9'.repeat(400)}`])(
  'the id "%.12s" of another host is not believed: everything follows',
  async (id) => {
    happened('one')
    const reader = await open('/activity', [`Last-Event-ID: ${id}`])
    await reader.until('"id":"one"')
    expect(reader.text()).toContain('"resumed":false')
  },
)

test('a reader that takes nothing is disconnected, and nothing is kept for it', async () => {
  const slow = await open('/activity?include=details')
  slow.socket.pause()
  const before = process.memoryUsage().external
  await vi.waitFor(
    () => {
      for (let i = 0; i < 20; i++) happened(`r${i}`, 900)
      expect(answers.readers).toBe(0)
    },
    { timeout: 8000, interval: 50 },
  )
  expect(process.memoryUsage().external - before).toBeLessThan(32 * 1024 ** 2)
})

test('the 17th reader is refused, and a place is free again when one leaves', async () => {
  const readers = await Promise.all(Array.from({ length: 16 }, () => open()))
  const headers = { accept: 'text/event-stream' }
  const refused = await fetch(`http://127.0.0.1:${port}/activity`, { headers })
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
  readers[0]?.socket.destroy()
  await vi.waitFor(() => expect(answers.readers).toBe(15))
  await open()
})

test('only what begins while somebody reads is watched', async () => {
  expect(activity.watched).toBe(false)
  const reader = await open()
  expect(activity.watched).toBe(true)
  reader.socket.destroy()
  await vi.waitFor(() => expect(answers.readers).toBe(0))
  // A page that reloads must not miss what happens meanwhile.
  expect(activity.watched).toBe(true)
})

test('a wrong parameter gets 400 as JSON, also from a reader of events', async () => {
  const headers = { accept: 'text/event-stream' }
  const response = await fetch(`http://127.0.0.1:${port}/activity?limit=x`, { headers })
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ error: { code: 'invalid_request' } })
})
