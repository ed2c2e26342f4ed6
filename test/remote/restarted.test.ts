// Sessions that end while the gateway is not running: it has stored them, and finds out at its next request.
import { mkdtemp, rm } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MANIFESTS } from '../support/manifests.ts'
import { callTool, rpc } from '../support/rpc.ts'
import { serveManifest } from '../support/serve-manifest.ts'
import { CANNOT_RUN } from './application.ts'
import { json, result } from './faulty-server.ts'
import { serve, type WebServer } from './servers.ts'

type Refusal = (response: ServerResponse, id: unknown) => void

const failing =
  (code: number, message: string): Refusal =>
  (response, id) =>
    json(response, JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }))

/** How a server answers a request of a session that it does not know. */
const REFUSALS: Record<string, Refusal> = {
  not_found: (response) => json(response, '{}', 404),
  bad_request: (response) => json(response, '{}', 400),
  unauthorized: (response) => json(response, '{}', 401),
  gone: (response) => json(response, '{}', 410),
  broken: (response) => json(response, '{}', 500),
  unavailable: (response) => json(response, '{}', 503),
  in_words: failing(-32600, 'Session not found'),
  other_words: failing(-32001, 'Unknown session ID'),
}

interface Server extends WebServer {
  /** Ends every session. */
  restart(): void
  /** Since the last restart. */
  initialized(): number
}

async function start(refuse: Refusal): Promise<Server> {
  const sessions = new Set<string>()
  let opened = 0
  const server = await serve((request, response, body) => {
    const { id, method } = JSON.parse(body) as { id?: unknown; method: string }
    if (id === undefined) return void response.writeHead(202).end()
    if (method === 'server/discover') return json(response, '{}', 404)
    if (method === 'initialize') {
      const session = `session-${crypto.randomUUID()}`
      sessions.add(session)
      opened++
      response.setHeader('mcp-session-id', session)
      const serverInfo = { name: 'sessions', version: '1' }
      const about = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo }
      return json(response, result(id, about))
    }
    if (!sessions.has(String(request.headers['mcp-session-id']))) return refuse(response, id)
    const tools = [{ name: 'say', inputSchema: { type: 'object' } }]
    const content = [{ type: 'text', text: 'said' }]
    json(response, result(id, method === 'tools/list' ? { tools } : { content }))
  })
  const restart = () => {
    sessions.clear()
    opened = 0
  }
  return { ...server, restart, initialized: () => opened }
}

describe.skipIf(CANNOT_RUN)('a session that ended while the gateway was not running', () => {
  const servers = new Map<string, Server>()
  const names = Object.keys(REFUSALS)
  let stateDir = ''

  beforeAll(async () => {
    stateDir = await mkdtemp(join(tmpdir(), 'ftl-restarted-'))
    for (const [name, refuse] of Object.entries(REFUSALS)) servers.set(name, await start(refuse))
  })
  afterAll(async () => {
    for (const server of servers.values()) await server.close()
    await rm(stateDir, { recursive: true, force: true })
  })

  const startGateway = () => {
    const configured = [...servers].map(([name, { url }]) => [
      name,
      { url, prefix: `${name}_`, ttlMs: 1_000 },
    ])
    return serveManifest({
      manifest: MANIFESTS.application,
      stateDir,
      variables: {
        tool_components: 'remote',
        remote_servers: JSON.stringify(Object.fromEntries(configured)),
        catalog_ttl_ms: '0',
      },
    })
  }
  const listed = async (url: string) => {
    const { result } = await rpc(url, 'tools/list')
    return (result?.['tools'] as { name: string }[]).map(({ name }) => name)
  }
  const said = { content: [{ type: 'text', text: 'said' }] }

  it('is opened again once, whatever the server answers', async () => {
    const before = await startGateway()
    await expect.poll(() => listed(before.url)).toHaveLength(names.length)
    for (const name of names) {
      expect((await callTool(before.url, `${name}_say`)).result).toMatchObject(said)
    }
    await before.close()
    for (const server of servers.values()) server.restart()
    // A session that was just made is not given up for an error that need not be about it.
    await sleep(16_000)

    const after = await startGateway()
    try {
      for (const name of names) {
        const { result: first } = await callTool(after.url, `${name}_say`)
        // After a status of 500 or more the call may have run, and is not sent again.
        const mayHaveRun = name === 'broken' || name === 'unavailable'
        const call = mayHaveRun ? (await callTool(after.url, `${name}_say`)).result : first
        expect([name, call]).toMatchObject([name, said])
        expect((await callTool(after.url, `${name}_say`)).result).toMatchObject(said)
        expect([name, servers.get(name)?.initialized()]).toEqual([name, 1])
      }
      expect(await listed(after.url)).toHaveLength(names.length)
    } finally {
      await after.close()
    }
  }, 120_000)

  it('costs the lists nothing, which are those of before until the server has answered', async () => {
    for (const server of servers.values()) server.restart()
    await sleep(16_000)
    const gateway = await startGateway()
    try {
      for (let times = 0; times < 3; times++) {
        expect(await listed(gateway.url)).toHaveLength(names.length)
        await sleep(1_100)
      }
      expect([...servers].map(([name, server]) => [name, server.initialized()])).toEqual(
        names.map((name) => [name, 1]),
      )
      const health = await (await fetch(`${gateway.url}/health/components`)).text()
      expect(health).toContain('"status":"ok"')
      expect(health).not.toContain('problems')
    } finally {
      await gateway.close()
    }
  }, 120_000)
})
