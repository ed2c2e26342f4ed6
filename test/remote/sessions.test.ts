// What reaches a server that gives sessions: how many requests a call is, and whose session it uses.
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CANNOT_RUN, type RemoteApplication, startRemote } from './application.ts'
import { json, result } from './faulty-server.ts'
import { serve, type WebServer } from './servers.ts'

interface Seen {
  method: string
  session: string | undefined
}

const keyOf = (user: string) => `ftl_${createHash('sha256').update(user).digest('base64url')}`

const KEYS = ['ann', 'bob'].map((user) => ({
  sha256: createHash('sha256').update(keyOf(user)).digest('hex'),
  principal: user,
  scopes: [],
}))

describe.skipIf(CANNOT_RUN)('a server that gives sessions', () => {
  let server: WebServer
  let open: RemoteApplication
  let closed: RemoteApplication
  let seen: Seen[] = []
  let sessions = 0

  beforeAll(async () => {
    server = await serve((request, response, body) => {
      const { id, method } = JSON.parse(body) as { id?: number; method: string }
      const session = request.headers['mcp-session-id'] as string | undefined
      seen.push({ method, session })
      if (id === undefined) return void response.writeHead(202).end()
      if (method === 'initialize') {
        response.setHeader('mcp-session-id', `session-${++sessions}`)
        const answer = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: {} }
        return json(response, result(id, answer))
      }
      if (method === 'server/discover') return void response.writeHead(404).end()
      const tools = [{ name: 'whose', inputSchema: { type: 'object' } }]
      const content = [{ type: 'text', text: String(session) }]
      json(response, result(id, method === 'tools/list' ? { tools } : { content }))
    })
    const servers = [{ name: 'one', url: server.url }]
    open = await startRemote(servers)
    closed = await startRemote(servers, {
      api_keys: JSON.stringify(KEYS),
      policy: 'signed-in',
    })
  })
  afterAll(async () => {
    await open?.close()
    await closed?.close()
    await server?.close()
  })
  beforeEach(() => (seen = []))

  const calls = () => seen.filter(({ method }) => method === 'tools/call')

  async function callAs(user: string): Promise<string | undefined> {
    const answer = await fetch(`${closed.url}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${keyOf(user)}`,
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'whose', arguments: {} },
      }),
    })
    const { result: given } = (await answer.json()) as {
      result?: { content: { text: string }[] }
    }
    return given?.content[0]?.text
  }

  it('gets one request for a call, once it is known', async () => {
    await open.names()
    await open.call('whose')
    seen = []
    await Promise.all([open.call('whose'), open.call('whose'), open.call('whose')])
    expect(seen.map(({ method }) => method)).toEqual(['tools/call', 'tools/call', 'tools/call'])
    expect(new Set(calls().map(({ session }) => session)).size).toBe(1)
  })

  it('gets the calls of two users in two sessions, also when they call in turns', async () => {
    const [ann, bob] = [await callAs('ann'), await callAs('bob')]
    expect(ann).toMatch(/^session-\d+$/)
    expect(bob).toMatch(/^session-\d+$/)
    expect(bob).not.toBe(ann)
    for (let turn = 0; turn < 3; turn++) {
      expect(await callAs('ann')).toBe(ann)
      expect(await callAs('bob')).toBe(bob)
    }
  })

  it('gets no request for a list in the session of a user', async () => {
    const ann = await callAs('ann')
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    await fetch(`${closed.url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${keyOf('ann')}` },
      body: JSON.stringify(list),
    })
    const lists = seen.filter(({ method }) => method === 'tools/list')
    expect(lists.map(({ session }) => session)).not.toContain(ann)
  })
})
