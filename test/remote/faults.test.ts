// Servers that fail beside one that works: each costs only its own tools, and is reported without a secret.
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { officialHandler } from '../differential/official-server.ts'
import { CANNOT_RUN, type RemoteApplication, startRemote } from './application.ts'
import { type Fault, json, result, startFaulty } from './faulty-server.ts'
import { serve, serveFetch, type WebServer } from './servers.ts'

const SECRET = 'k3y-0f-the-server'
const MEGABYTE = 'x'.repeat(1024 * 1024)

const events = (response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'text/event-stream' })

/** `timeoutMs`: of the server, @default 3000. `withinMs`: of a call, @default 6000 */
const FAULTS: Record<
  string,
  { fault: Fault; says: RegExp; timeoutMs?: number; withinMs?: number }
> = {
  'never answers': { fault: () => {}, says: /gave no answer within \d+ ms/ },
  'answers what is no JSON': {
    fault: (response) => json(response, '{"jsonrpc"'),
    says: /answered something that is not JSON/,
  },
  'answers what is no message': {
    fault: (response, id) => json(response, JSON.stringify({ id })),
    says: /answered something that is not a JSON-RPC message/,
  },
  'answers a page': {
    fault: (response) =>
      void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Sign in</p>'),
    says: /answered something that is neither JSON nor events/,
  },
  'answers with status 500': {
    fault: (response) => json(response, `{"trace":"at ${SECRET}"}`, 500),
    says: /answered with status 500/,
  },
  'has only the transport HTTP+SSE': {
    fault: (response) => void response.writeHead(405, { allow: 'GET' }).end('Method Not Allowed'),
    says: /answered with status 405: .*HTTP\+SSE is not supported/,
  },
  'wants a login': {
    fault: (response) => json(response, `{"got":"${SECRET}"}`, 401),
    says: /refused access \(status 401\)/,
  },
  'sends elsewhere': {
    fault: (response) => void response.writeHead(307, { location: 'http://127.0.0.1:9/' }).end(),
    says: /answered with status 307/,
  },
  'answers with another id': {
    fault: (response, id) => json(response, result(Number(id) + 1, { tools: [], content: [] })),
    says: /answered with the id of another request/,
  },
  'answers without end': {
    fault: (response) => {
      events(response)
      const go = () => {
        while (response.write(`: ${MEGABYTE}\n\n`));
        response.once('drain', go)
      }
      go()
    },
    says: /answered more than \d+ bytes/,
    // It must be given up for its size, and a busy machine needs time for the megabytes.
    timeoutMs: 60_000,
    withinMs: 30_000,
  },
  'answers drop by drop': {
    fault: (response) => {
      events(response)
      const drip = setInterval(() => response.write(': \n\n'), 100)
      response.once('close', () => clearInterval(drip))
    },
    says: /gave no answer within \d+ ms/,
  },
  'breaks its answer off': {
    fault: (response) => void events(response).end(': nothing more\n\n'),
    says: /broke off its answer/,
  },
  'hangs up': { fault: (response) => void response.destroy(), says: /cannot be reached/ },
  'repeats the key in an error': {
    fault: (response, id) => {
      const error = { code: -32000, message: `no such key: ${SECRET}` }
      json(response, JSON.stringify({ jsonrpc: '2.0', id, error }))
    },
    says: /answered with an error: no such key: \[redacted\]/,
  },
}

describe.skipIf(CANNOT_RUN)('a server that', () => {
  const servers: WebServer[] = []
  let application: RemoteApplication
  /** Milliseconds of the first list, for which every server is asked. */
  let firstList = 0

  beforeAll(async () => {
    const good = await serveFetch(officialHandler())
    servers.push(good)
    const configured: object[] = [{ name: 'good', url: good.url }]
    for (const [index, { fault, timeoutMs = 3000 }] of Object.values(FAULTS).entries()) {
      for (const where of ['list', 'call'] as const) {
        const server = await startFaulty(where, fault)
        servers.push(server)
        const headers = { 'x-key': SECRET }
        const name = `${where}${index}`
        configured.push({ name, url: server.url, prefix: `${name}_`, headers, timeoutMs })
      }
    }
    // Enough for a megabyte a server on a busy machine; what never answers is given up sooner.
    application = await startRemote(configured, { discovery_timeout_ms: '20000' })
    const began = performance.now()
    await application.names()
    firstList = performance.now() - began
  })
  afterAll(async () => {
    await application?.close()
    for (const server of servers) await server.close()
  })

  it.each(
    Object.entries(FAULTS).map(([name, { says, withinMs = 6000 }], index) => ({
      name,
      says,
      withinMs,
      index,
    })),
  )('$name', async ({ says, withinMs, index }) => {
    const problems = await application.problems()
    const ours = problems.filter((problem) => problem.includes(`"list${index}"`))
    expect(ours).toHaveLength(1)
    expect(ours[0]).toMatch(says)
    const names = await application.names()
    expect(names).not.toContain(`list${index}_say`)
    expect(names).toContain(`call${index}_say`)
    const began = performance.now()
    const { result: answer } = await application.call(`call${index}_say`)
    expect(performance.now() - began).toBeLessThan(withinMs)
    expect(answer).toMatchObject({ isError: true })
    expect(JSON.stringify(answer)).toMatch(says)
  })

  it('fails costs the others no tool and the list little time', async () => {
    expect(firstList).toBeLessThan(10_000)
    const { result: answer } = await application.call('echo', { message: 'still there' })
    expect(answer?.['content']).toEqual([{ type: 'text', text: 'still there' }])
    // Those that failed are not asked again at once.
    const began = performance.now()
    await application.names()
    expect(performance.now() - began).toBeLessThan(4000)
  })

  it('repeats a secret does not expose it', async () => {
    const shown = [...(await application.problems()), application.log()].join('\n')
    expect(shown).not.toContain(SECRET)
    const index = Object.keys(FAULTS).indexOf('repeats the key in an error')
    const answer = JSON.stringify(await application.call(`call${index}_say`))
    expect(answer).not.toContain(SECRET)
  })
})

describe.skipIf(CANNOT_RUN)('without servers', () => {
  it.each([
    { text: '', problem: undefined },
    {
      text: '{"a": {"url": "http://user:pass-word@h/"',
      problem: 'remote_servers: it is not valid JSON',
    },
  ])('$text: no tools', async ({ text, problem }) => {
    const application = await startRemote(text)
    expect(await application.names()).toEqual([])
    expect(await application.problems()).toEqual(problem === undefined ? [] : [problem])
    await application.close()
  })
})

it.skipIf(CANNOT_RUN)(
  'a server of 2025-11-25 is notified of a call that is given up because it takes too long',
  async () => {
    const told: unknown[] = []
    let id: unknown
    const server = await serve((_, response, body) => {
      const message = JSON.parse(body) as { id?: unknown; method: string; params?: unknown }
      if (message.id === undefined) {
        told.push(message)
        response.writeHead(202).end()
      } else if (message.method === 'initialize') {
        const serverInfo = { name: 'slow', version: '1' }
        const capabilities = { tools: {} }
        const known = { protocolVersion: '2025-11-25', capabilities, serverInfo }
        response.setHeader('mcp-session-id', 'a-session')
        json(response, result(message.id, known))
      } else if (message.method === 'tools/list') {
        json(response, result(message.id, { tools: [{ name: 'wait', inputSchema: {} }] }))
      } else if (message.method === 'tools/call') {
        id = message.id
        // Progress all the time, and never a result.
        events(response)
        let progress = 0
        const params = () => ({ progressToken: id, progress: ++progress })
        const tick = setInterval(() => {
          const news = { jsonrpc: '2.0', method: 'notifications/progress', params: params() }
          response.write(`data: ${JSON.stringify(news)}\n\n`)
        }, 100)
        response.once('close', () => clearInterval(tick))
      } else json(response, '{}', 400)
    })
    const configured = [{ name: 'slow', url: server.url, timeoutMs: 800 }]
    const application = await startRemote(configured)
    await application.names()
    const answer = await application.call('wait')
    expect(JSON.stringify(answer)).toContain('gave no answer within')
    await expect
      .poll(() => told, { timeout: 5000 })
      .toContainEqual(
        expect.objectContaining({
          method: 'notifications/cancelled',
          params: expect.objectContaining({ requestId: id }) as unknown,
        }),
      )
    await application.close()
    await server.close()
  },
)
