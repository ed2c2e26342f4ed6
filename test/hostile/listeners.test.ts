// Clients that listen for changed lists under `ftl dev`: each of them holds an instance of the gateway.
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect } from 'vitest'
import { rpc } from '../support/rpc.ts'
import { type RunningApplication, startHostile } from './support/application.ts'
import { attack } from './support/attack.ts'
import { RawClient } from './support/raw-client.ts'

/** What the gateway allows at once. */
const PLACES = 16
const LISTENERS = 1000

/** Milliseconds after which a call counts as starved. It takes about ten, and a shared machine can stall. */
const STARVED_MS = 2_000

const component = (id: string) => readFile(new URL(`../../dist/${id}.wasm`, import.meta.url))

let app: RunningApplication
const listeners: RawClient[] = []
const EVENTS = { headers: { accept: 'text/event-stream' } }
beforeAll(async () => {
  app = await startHostile(
    {
      'mcp-gateway': {
        wasm: await component('mcp-gateway'),
        route: '/...',
        allowedHosts: ['http://*.spin.internal'],
        stores: ['default'],
        variables: { tool_components: 'echo' },
      },
      echo: { wasm: await component('echo'), route: false },
    },
    { development: true },
  )
  await rpc(app.url, 'tools/list')
})
afterAll(async () => {
  for (const listener of listeners) listener.destroy()
  await app?.close()
})

function listen(): RawClient {
  const client = new RawClient(app.port)
  listeners.push(client)
  return client.send('GET /mcp HTTP/1.1', 'Host: localhost', 'Accept: text/event-stream', '', '')
}

async function statusOfOneMore(): Promise<number> {
  const { status, body } = await fetch(`${app.url}/mcp`, EVENTS)
  await body?.cancel()
  return status
}

async function callsAreAnswered(): Promise<void> {
  for (let call = 0; call < 20; call++) {
    const started = performance.now()
    const params = { name: 'echo', arguments: { message: 'a' } }
    const { result } = await rpc(app.url, 'tools/call', params)
    expect(result?.['content']).toMatchObject([{ type: 'text' }])
    expect(performance.now() - started).toBeLessThan(STARVED_MS)
  }
}

attack('clients listen for changes and never read', async () => {
  for (let place = 0; place < PLACES; place++) listen().socket.pause()
  await expect.poll(statusOfOneMore, { timeout: 20_000, interval: 200 }).toBe(503)
  await callsAreAnswered()
  return `${PLACES} places, and calls go on`
})

attack(
  '1000 clients listen for changes at once',
  async () => {
    const clients = Array.from({ length: LISTENERS }, listen)
    const statuses = await Promise.all(clients.map((client) => client.status(30_000)))
    // The host itself refuses some of so many at the same moment, with the same status.
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(PLACES)
    expect(new Set(statuses)).toContain(503)
    await callsAreAnswered()
    return `at most ${PLACES} get a stream, the others 503`
  },
  60_000,
)
