// Clients that begin something and never go on.
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningApplication, startHostile } from './support/application.ts'
import { attack } from './support/attack.ts'
import { RawClient } from './support/raw-client.ts'
import { built } from './support/wat.ts'

/** Fewer than the clients of each attack, in both workers together. */
const MAX_INSTANCES = 8
const CLIENTS = 40
const REPORT = JSON.stringify([3, 1, 2])

let host: RunningApplication
let clients: RawClient[] = []
beforeAll(async () => {
  host = await startHostile(
    { good: { wasm: await built('test/hostile/good') } },
    {
      maxInstances: MAX_INSTANCES,
      headerTimeoutMs: 1500,
      bodyIdleMs: 1500,
      maxConnections: 200,
    },
  )
})
afterAll(() => host?.close())

async function connect(count: number, ...lines: string[]): Promise<void> {
  clients = Array.from({ length: count }, () => new RawClient(host.port).send(...lines))
  await Promise.all(clients.map(({ socket }) => once(socket, 'connect')))
}
const leave = () => {
  for (const client of clients) client.destroy()
}
const post = (path: string, ...more: string[]) => [`POST ${path} HTTP/1.1`, 'Host: a', ...more]
const report = () =>
  fetch(`${host.url}/good/report`, {
    method: 'POST',
    body: REPORT,
    signal: AbortSignal.timeout(5000),
  })

/** Good requests are answered, and the host's own health at once. */
async function serves(): Promise<void> {
  for (let i = 0; i < 5; i++) {
    expect((await report()).status).toBe(200)
    const started = performance.now()
    expect((await fetch(`${host.url}/.well-known/spin/health`)).status).toBe(200)
    expect(performance.now() - started).toBeLessThan(1000)
  }
}

/** The status of every attacker's answer, and that its connection ended. */
async function endings(milliseconds = 8000): Promise<number[]> {
  const statuses = new Set<number>()
  for (const client of clients) {
    await client.end(milliseconds)
    statuses.add(await client.status())
  }
  return [...statuses]
}

attack('send ten bytes of a small body and wait', async () => {
  await connect(CLIENTS, ...post('/good/report', 'Content-Length: 1000', '', '0123456789'))
  await serves()
  expect(await endings()).toEqual([408])
  return '408, no instance taken'
})

attack('send a small body in chunks and never end it', async () => {
  await connect(CLIENTS, ...post('/good/report', 'Transfer-Encoding: chunked', '', '3', '[1,', ''))
  // Longer than a body without a length is waited for: those that got an instance have it by now.
  await new Promise((wake) => setTimeout(wake, 500))
  await serves()
  expect((await endings()).sort()).toEqual([408, 503])
  return 'a share of the instances, then 503; 408'
})

attack('announce a large body and send nothing of it', async () => {
  await connect(CLIENTS, ...post('/good/count', 'Content-Length: 1000000', '', ''))
  await new Promise((wake) => setTimeout(wake, 500))
  await serves()
  expect((await endings()).sort()).toEqual([408, 503])
  return 'a share of the instances, then 503; 408'
})

attack('send a byte of a small body every so often', async () => {
  await connect(4, ...post('/good/report', 'Content-Length: 60000', '', ''))
  const drip = setInterval(() => clients.forEach((client) => client.send('x')), 200)
  try {
    expect(await endings(15_000)).toEqual([408])
    return '408'
  } finally {
    clearInterval(drip)
  }
})

attack('go on with a body very slowly after the answer', async () => {
  await connect(4, ...post('/nowhere', 'Content-Length: 60000', '', ''))
  const drip = setInterval(() => clients.forEach((client) => client.send('x')), 200)
  try {
    expect(await endings()).toEqual([404])
    return 'closed'
  } finally {
    clearInterval(drip)
  }
})

attack('send half of a head and wait', async () => {
  await connect(CLIENTS, 'GET /good/report HTTP/1.1', 'Host: a', 'X-Half: ')
  await serves()
  expect(await endings()).toEqual([408])
  return '408'
})

attack('connect and send nothing', async () => {
  await connect(CLIENTS)
  await serves()
  for (const client of clients) await client.end(8000)
  return 'closed'
})

attack('open more connections than the host keeps', async () => {
  await connect(400, 'GET /good/report HTTP/1.1', 'Host: a', 'X-Half: ')
  await serves()
  const closed = () => clients.filter((client) => client.closed).length
  await expect.poll(closed, { timeout: 5000 }).toBeGreaterThanOrEqual(190)
  leave()
  return 'the oldest are closed'
})

test('a body that comes slowly, but comes, is served', async () => {
  const client = new RawClient(host.port).send(
    ...post('/good/report', `Content-Length: ${REPORT.length}`, '', ''),
  )
  for (const letter of REPORT) {
    await new Promise((wake) => setTimeout(wake, 30))
    client.send(letter)
  }
  expect(await client.status()).toBe(200)
  client.destroy()
})

test('a body in slow chunks is served', async () => {
  const client = new RawClient(host.port).send(
    ...post('/good/report', 'Transfer-Encoding: chunked', '', ''),
  )
  for (const letter of REPORT) {
    await new Promise((wake) => setTimeout(wake, 50))
    client.send('1', letter, '')
  }
  client.send('0', '', '')
  expect(await client.status()).toBe(200)
  client.destroy()
})
