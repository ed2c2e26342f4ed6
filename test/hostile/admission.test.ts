// One client address that takes all it can, before a proxy and behind one.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningApplication, startHostile } from './support/application.ts'
import { attack } from './support/attack.ts'
import { RawClient } from './support/raw-client.ts'
import { built } from './support/wat.ts'

const MAX_CLIENT_REQUESTS = 4
/** A request counts for its client until its guest has ended, also when the client leaves before that. */
const ABANDONED_MS = 500

let host: RunningApplication
beforeAll(async () => {
  host = await startHostile(
    { good: { wasm: await built('test/hostile/good') } },
    {
      maxClientRequests: MAX_CLIENT_REQUESTS,
      abandonedMs: ABANDONED_MS,
      trustedProxies: ['192.0.2.0/24'],
    },
  )
})
afterAll(() => host?.close())

const as = (client: string, path = '/good/wait?ms=1') =>
  fetch(host.url + path, { headers: { 'x-forwarded-for': client } })

/** Takes every place of an address, and gives them back. */
async function holding<T>(clients: readonly string[], run: () => Promise<T>): Promise<T> {
  const hold = (client: RawClient, address: string) =>
    client.send(
      'GET /good/wait?ms=30000 HTTP/1.1',
      'Host: a',
      `X-Forwarded-For: ${address}`,
      '',
      '',
    )
  const held = clients.map((address) => hold(new RawClient(host.port), address))
  try {
    const refused = async () => {
      const { status } = await as(clients[0] ?? '')
      // The question itself may have taken the place of one.
      for (const [index, client] of held.entries()) {
        if (!client.received.startsWith('HTTP/1.1 429')) continue
        client.received = ''
        hold(client, clients[index] ?? '')
      }
      return status
    }
    await expect.poll(refused, { timeout: 5000 }).toBe(429)
    return await run()
  } finally {
    for (const client of held) client.destroy()
  }
}

const times = (address: string) => Array.from({ length: MAX_CLIENT_REQUESTS }, () => address)

attack('send more requests at once than one address may', () =>
  holding(times('203.0.113.1'), async () => {
    const refused = await as('203.0.113.1')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
    expect((await as('203.0.113.2')).status).toBe(200)
    expect((await as('203.0.113.1', '/.well-known/spin/health')).status).toBe(200)
    // Programs on this machine are not counted.
    expect((await fetch(`${host.url}/good/wait?ms=1`)).status).toBe(200)
    return '429 for that address'
  }),
)

attack('forge X-Forwarded-For before the proxy appends to it', () =>
  holding(times('203.0.113.3'), async () => {
    for (const forged of ['198.51.100.9', '192.0.2.1', '127.0.0.1', 'x', ' ']) {
      expect((await as(`${forged}, 203.0.113.3`)).status).toBe(429)
      expect((await as(`${forged}, 203.0.113.3, 192.0.2.8`)).status).toBe(429)
    }
    return 'the last address that is no proxy counts'
  }),
)

attack('come from many addresses of one IPv6 network', () =>
  holding(
    Array.from({ length: MAX_CLIENT_REQUESTS }, (_, i) => `2001:db8:1:2::${i}`),
    async () => {
      expect((await as('2001:db8:1:2:ffff::1')).status).toBe(429)
      expect((await as('2001:db8:1:3::1')).status).toBe(200)
      return 'a /64 is one address'
    },
  ),
)

test('places of an address are given back once the guests of clients that left have ended', async () => {
  const refused = async () => (await as('203.0.113.1')).status
  await expect.poll(refused, { timeout: 5000 }).toBe(200)
  for (let i = 0; i < 3 * MAX_CLIENT_REQUESTS; i++) {
    const response = await as('203.0.113.4', '/good/nothing')
    expect([response.status, await response.text()]).toEqual([404, 'no such path'])
  }
})

attack('pipeline a flood of requests on one connection', async () => {
  const one = 'GET /good/wait?ms=1 HTTP/1.1\r\nHost: a\r\n\r\n'
  const flood = new RawClient(host.port).send(one.repeat(5000))
  await flood.end(20_000)
  expect((await fetch(`${host.url}/good/wait?ms=1`)).status).toBe(200)
  const few = new RawClient(host.port).send(one.repeat(20))
  const answers = () => few.received.match(/waited/g)?.length
  await expect.poll(answers, { timeout: 10_000 }).toBe(20)
  few.destroy()
  return 'one at a time; closed beyond 100'
})

test('a connection may carry any number of requests one after the other', async () => {
  const client = new RawClient(host.port)
  for (let i = 1; i <= 300; i++) {
    client.send('GET /.well-known/spin/health HTTP/1.1', 'Host: a', '', '')
    const answers = () => client.received.split('HTTP/1.1 200').length - 1
    while (answers() < i) await new Promise((wake) => setImmediate(wake))
  }
  client.destroy()
})
