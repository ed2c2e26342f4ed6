// Calls that the host ended: their gateway could not write a line, so the host does.
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashOf, linkOf, START } from 'ftl-host'
import { type RunningApplication, startHostile } from '../hostile/support/application.ts'
import { credentials, KEY } from './application.ts'
import { gatewayOver } from '../hostile/support/publisher.ts'
import { built } from '../hostile/support/wat.ts'

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736'
const REQUEST_TIMEOUT_MS = 5000

let host: RunningApplication
let folder: string
let path: string

const start = async (auditLog: string): Promise<RunningApplication> =>
  startHostile(
    {
      'mcp-gateway': await gatewayOver(['calls'], {
        catalog_ttl_ms: '600000',
        ...credentials,
      }),
      calls: {
        wasm: await built('test/app/broken'),
        route: false,
        variables: { fault: 'calls' },
      },
    },
    {
      auditLog,
      workers: 1,
      maxBlockingMs: 500,
      quarantineMs: 0,
      requestTimeoutMs: REQUEST_TIMEOUT_MS,
    },
  )

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ftl-killed-'))
  path = join(folder, 'audit.jsonl')
  host = await start(path)
})
afterAll(() => rmSync(folder, { recursive: true }))

type Entry = Record<string, unknown>
const lines = (log = path) => readFileSync(log, 'utf8').trimEnd().split('\n')
const about = (request: string, log = path) =>
  lines(log)
    .map((line) => JSON.parse(line) as Entry)
    .filter((entry) => entry['request'] === request)
const eventsOf = (request: string) => about(request).map(({ event }) => event)
const killedIn = (request: string) => about(request).filter(({ event }) => event === 'killed')

interface Sent {
  signal?: AbortSignal
  headers?: Record<string, string>
  query?: string
  /** @default {@link host} */
  to?: RunningApplication
}

const headersOf = (id: string) => ({
  'content-type': 'application/json',
  authorization: `Bearer ${KEY}`,
  'x-request-id': id,
})

const call = (
  id: string,
  tool: string,
  { signal, headers = {}, query = '', to = host }: Sent = {},
) =>
  fetch(`${to.url}/tools/${tool}${query}`, {
    method: 'POST',
    headers: { ...headersOf(id), ...headers },
    body: '{}',
    ...(signal && { signal }),
  })

test('a call that takes the thread, and cannot be repeated, has a line of the host', async () => {
  // The first request of all stores the list of tools, so it has changed something.
  const id = randomUUID()
  const traceparent = `00-${TRACE_ID}-00f067aa0ba902b7-01`
  const response = await call(id, 'never_yields', {
    headers: { traceparent },
    query: '?link=a.secret.capability',
  })
  expect(response.status).toBe(500)
  // Its call has an end, too, by the host.
  expect(eventsOf(id).toSorted()).toEqual(['begin', 'call', 'killed'])
  expect(about(id)[1]).toMatchObject({
    ...{ event: 'call', tool: 'never_yields', component: 'calls', trace: TRACE_ID },
    ...{ call: about(id)[0]?.['call'], outcome: 'killed' },
    reason: expect.stringContaining('the worker of the request was lost') as string,
  })
  expect(killedIn(id)).toEqual([
    {
      ...{ seq: expect.any(Number) as number, prev: expect.any(String) as string, audit: 1 },
      ...{ time: expect.any(String) as string, event: 'killed', request: id, trace: TRACE_ID },
      action: 'POST /tools/never_yields',
      component: 'calls',
      outcome: 'killed',
      reason: expect.stringMatching(/the worker of the request was lost: .*500 ms/) as string,
      ms: expect.any(Number) as number,
    },
  ])
  expect(readFileSync(path, 'utf8')).not.toContain('secret.capability')
})

test('a call that takes a thread of its own has the line of the gateway, which is still there', async () => {
  const id = randomUUID()
  await call(id, 'never_yields')
  expect(about(id)).toMatchObject([{ event: 'begin' }, { event: 'call', outcome: 'failed' }])
})

test('a call that takes the thread, and is repeated without its tool, has that of the gateway', async () => {
  // Nothing is known of its tool yet, so both are on one thread.
  const log = join(folder, 'other.jsonl')
  const other = await start(log)
  try {
    expect((await fetch(`${other.url}/tools`, { headers: headersOf('list') })).status).toBe(200)
    const id = randomUUID()
    await call(id, 'never_yields', { to: other })
    expect(about(id, log)).toMatchObject([
      { event: 'begin', tool: 'never_yields' },
      {
        ...{ event: 'call', outcome: 'killed' },
        reason: expect.stringContaining('began again') as string,
      },
      { event: 'begin', tool: 'never_yields' },
      { event: 'call', tool: 'never_yields', outcome: 'failed' },
    ])
  } finally {
    await other.close()
  }
})

test('a call whose tool uses up its memory has the line of the gateway, which is still there', async () => {
  const id = randomUUID()
  await call(id, 'exhausts_arrays')
  expect(about(id)).toMatchObject([{ event: 'begin' }, { event: 'call', outcome: 'failed' }])
})

test('calls that take longer than a request may have lines of the host', async () => {
  const [plain, left, stream]: [string, string, string] = [randomUUID(), randomUUID(), randomUUID()]
  const controller = new AbortController()
  const leaving = expect(call(left, 'hangs', { signal: controller.signal })).rejects.toThrow()
  setTimeout(() => controller.abort(), 500)
  // Its response begins before the tool is called.
  const streaming = fetch(`${host.url}/invoke`, {
    method: 'POST',
    headers: { ...headersOf(stream), accept: 'application/x-ndjson' },
    body: '{"tool":"hangs"}',
  })
  const before = lines().length
  const badId = call('x y;z', 'hangs', { headers: { traceparent: '00-zz-1-01' } })
  expect((await call(plain, 'hangs')).status).toBe(504)
  await leaving
  const { status } = await badId
  expect(status).toBe(504)
  const response = await streaming
  expect(response.status).toBe(200)
  await expect(response.text()).rejects.toThrow()
  const killed = {
    event: 'killed',
    component: 'mcp-gateway',
    // The host knows the credential from a response before.
    principal: 'key:ci',
    outcome: 'killed',
    reason: `took longer than ${REQUEST_TIMEOUT_MS / 1000} s`,
  }
  for (const id of [plain, left, stream]) {
    await expect.poll(() => eventsOf(id).length, { timeout: 5000 }).toBe(3)
    expect(killedIn(id)).toMatchObject([killed])
    const call = about(id).find(({ event }) => event === 'call')
    expect(call).toMatchObject({ tool: 'hangs', outcome: 'killed', reason: killed.reason })
  }
  expect(killedIn(plain)[0]?.['ms']).toBeGreaterThanOrEqual(REQUEST_TIMEOUT_MS)
  // An id that the gateway would not take is not in the line, nor is such a trace.
  const others = lines()
    .slice(before)
    .map((line) => JSON.parse(line) as Entry)
    .filter(({ request }) => ![plain, left, stream].includes(String(request)))
    .filter(({ event }) => event === 'killed')
  expect(others).toMatchObject([killed])
  expect(others[0]?.['request']).toMatch(/^[0-9a-f-]{36}$/)
  expect(others[0]).not.toHaveProperty('trace')
})

test('a call that runs when the host ends has a line, and the chain is whole', async () => {
  const sent = call('last', 'hangs').catch(() => undefined)
  await new Promise((wake) => setTimeout(wake, 300))
  await host.close()
  await sent
  expect(eventsOf('last').filter((event) => event === 'call')).toHaveLength(1)
  let head = START
  for (const line of lines()) {
    expect(linkOf(line)).toEqual({ seq: head.seq + 1, hash: head.hash })
    head = { seq: head.seq + 1, hash: hashOf(line) }
  }
  expect(lines().at(-1)).toContain('"event":"stopped"')
})
