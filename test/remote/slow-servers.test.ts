// Servers that are slow, refuse `server/discover` in their own way, or lose sessions, over real sockets and with the settings that a
// gateway has by default.
import { setTimeout as sleep } from 'node:timers/promises'
import type { ServerResponse } from 'node:http'
import { afterAll, describe, expect, it } from 'vitest'
import { CANNOT_RUN, type RemoteApplication, startRemote } from './application.ts'
import { json, result } from './faulty-server.ts'
import { serve, type WebServer } from './servers.ts'

const closing: { close(): Promise<void> }[] = []
afterAll(async () => {
  for (const each of closing.reverse()) await each.close()
})

async function opened<T extends { close(): Promise<void> }>(starting: Promise<T>): Promise<T> {
  const each = await starting
  closing.push(each)
  return each
}

const INITIALIZED = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: {} },
  serverInfo: { name: 'other', version: '1' },
}

interface Behavior {
  /** Milliseconds before each answer. */
  delayMs?: number
  /** @default -32601 */
  discover?: (response: ServerResponse) => void
  /** Answers a request of a session that it does not know. @default it has no sessions */
  lost?: (response: ServerResponse, id: unknown) => void
}

/** A server of 2025-06-18 with the tool `say_NAME`. */
async function start(name: string, { delayMs = 0, discover, lost }: Behavior) {
  let sessions = 0
  const server = await opened<WebServer>(
    serve((request, response, body) => {
      const { id, method } = JSON.parse(body || '{}') as { id?: unknown; method?: string }
      void sleep(delayMs).then(() => {
        if (id === undefined) return void response.writeHead(202).end()
        if (method === 'server/discover' && discover) return discover(response)
        if (method === 'initialize') {
          if (lost) response.setHeader('mcp-session-id', `session-${++sessions}`)
          return json(response, result(id, INITIALIZED))
        }
        const session = request.headers['mcp-session-id']
        if (lost && session !== undefined && session !== `session-${sessions}`) {
          return lost(response, id)
        }
        const results: Record<string, object> = {
          'tools/list': { tools: [{ name: `say_${name}`, inputSchema: { type: 'object' } }] },
          'tools/call': { content: [{ type: 'text', text: 'said' }] },
        }
        const known = results[method ?? '']
        if (known) return json(response, result(id, known))
        const error = { code: -32601, message: 'Method not found' }
        json(response, JSON.stringify({ jsonrpc: '2.0', id, error }))
      })
    }),
  )
  return { url: server.url, forget: () => void sessions++ }
}

const listed = (application: RemoteApplication, names: string[]) =>
  expect
    .poll(() => application.names(), { timeout: 60_000, interval: 1_000 })
    .toEqual(expect.arrayContaining(names))

const said = { result: { content: [{ type: 'text', text: 'said' }] } }

describe.skipIf(CANNOT_RUN)('with the settings of a new gateway', () => {
  it('servers that need 0.9 and 1.8 s for each request appear by themselves, and are called', async () => {
    const [quick, slow, slower] = await Promise.all([
      start('quick', {}),
      start('slow', { delayMs: 900 }),
      start('slower', { delayMs: 1_800 }),
    ])
    const application = await opened(
      startRemote({
        quick: { url: quick.url },
        slow: { url: slow.url },
        slower: { url: slower.url },
      }),
    )
    await listed(application, ['say_quick', 'say_slow', 'say_slower'])
    expect(await application.call('say_slower')).toMatchObject(said)
  }, 120_000)

  const page = (response: ServerResponse) =>
    void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Sign in</p>')
  const REFUSALS: Record<string, (response: ServerResponse) => void> = {
    status500: (response) => json(response, '{}', 500),
    status401: (response) => json(response, '{}', 401),
    status403: (response) => json(response, '{}', 403),
    status404: (response) => json(response, '{}', 404),
    page,
    empty: (response) => void response.writeHead(200).end(),
    closed: (response) => void response.destroy(),
    silence: () => {},
  }

  it('servers that refuse server/discover in any way are asked with initialize', async () => {
    const names = Object.keys(REFUSALS)
    const configured: Record<string, object> = {}
    for (const [name, discover] of Object.entries(REFUSALS)) {
      // A third of it is for the discovery.
      configured[name] = { url: (await start(name, { discover })).url, timeoutMs: 15_000 }
    }
    const application = await opened(startRemote(configured))
    await listed(
      application,
      names.map((name) => `say_${name}`),
    )
    for (const name of names) expect(await application.call(`say_${name}`)).toMatchObject(said)
  }, 120_000)

  const LOST: Record<string, (response: ServerResponse, id: unknown) => void> = {
    with404: (response) => json(response, '{}', 404),
    with400: (response) => json(response, '{}', 400),
    with401: (response) => json(response, '{}', 401),
    with410: (response) => json(response, '{}', 410),
    with500: (response) => json(response, '{}', 500),
    with503: (response) => json(response, '{}', 503),
    with200: (response, id) => {
      const error = { code: -32600, message: 'Session not found' }
      json(response, JSON.stringify({ jsonrpc: '2.0', id, error }))
    },
  }

  it('a session that was lost in any way is opened again', async () => {
    const names = Object.keys(LOST)
    const servers = await Promise.all(
      Object.entries(LOST).map(([name, lost]) => start(name, { lost })),
    )
    const configured = Object.fromEntries(
      names.map((name, at) => [name, { url: servers[at]?.url }]),
    )
    const application = await opened(startRemote(configured))
    await listed(
      application,
      names.map((name) => `say_${name}`),
    )
    for (const name of names) expect(await application.call(`say_${name}`)).toMatchObject(said)
    // A session that was just made is not given up for an error that need not be about it.
    await sleep(16_000)
    for (const { forget } of servers) forget()
    for (const name of names) {
      const first = await application.call(`say_${name}`)
      // After a 5xx the call may have run, so only the next one has a new session.
      const call = /50/.test(name) ? await application.call(`say_${name}`) : first
      expect([name, call]).toMatchObject([name, said])
    }
  }, 120_000)
})
