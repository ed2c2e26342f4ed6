// Official clients sign in at a certified authorization server, and no secret appears anywhere afterwards.
import {
  UnauthorizedError as UnauthorizedV2,
  Client as ClientV2,
  StreamableHTTPClientTransport as TransportV2,
} from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { type AuthenticatedApplication, startAuthenticated } from './application.ts'
import type { SigningAlgorithm } from './authorization-server.ts'
import { MemoryProvider } from './memory-provider.ts'

let app: AuthenticatedApplication
/** Every token and secret that was used. */
const secrets: string[] = []
/** Every body that a client received. */
const answers: string[] = []

beforeAll(async () => {
  app = await startAuthenticated()
  secrets.push(app.apiKey, app.proxySecret)
})
afterAll(() => app.close())

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

async function send(path: string, token?: string, body?: unknown): Promise<Response> {
  const response = await fetch(app.url + path, {
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    headers: { 'content-type': 'application/json', ...(token !== undefined && bearer(token)) },
  })
  answers.push(await response.clone().text(), JSON.stringify([...response.headers]))
  return response
}

describe('an official client goes through the whole flow', () => {
  it('the TypeScript SDK version 1', async () => {
    const provider = new MemoryProvider()
    const client = () => new Client({ name: 'test', version: '1' })
    const transport = () =>
      new StreamableHTTPClientTransport(new URL(app.resource), { authProvider: provider })
    const first = transport()
    await expect(client().connect(first)).rejects.toThrow(UnauthorizedError)
    const back = await app.issuer.signIn(provider.address())
    await first.finishAuth(back.searchParams.get('code') ?? '')
    const signedIn = client()
    await signedIn.connect(transport())
    const { tools } = await signedIn.listTools()
    expect(tools.map(({ name }) => name)).toContain('calculator')
    const result = await signedIn.callTool({ name: 'calculator', arguments: { expression: '6*7' } })
    expect(result.content).toEqual([{ type: 'text', text: '42' }])
    await signedIn.close()
    secrets.push(provider.tokens()?.access_token ?? '')
  })

  it.each(['legacy', 'auto'] as const)(
    'the TypeScript SDK version 2, negotiating %s',
    async (mode) => {
      const provider = new MemoryProvider()
      const client = () =>
        new ClientV2({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
      const transport = () => new TransportV2(new URL(app.resource), { authProvider: provider })
      const first = transport()
      await expect(client().connect(first)).rejects.toThrow(UnauthorizedV2)
      const back = await app.issuer.signIn(provider.address())
      await first.finishAuth(back.searchParams)
      const signedIn = client()
      await signedIn.connect(transport())
      const result = await signedIn.callTool({
        name: 'calculator',
        arguments: { expression: '6*7' },
      })
      expect(result.content).toEqual([{ type: 'text', text: '42' }])
      await signedIn.close()
      secrets.push(provider.tokens()?.access_token ?? '')
    },
  )
})

describe('a machine', () => {
  it.each(['RS256', 'ES256', 'EdDSA'] satisfies SigningAlgorithm[])(
    'calls with a token signed by %s',
    async (algorithm) => {
      const token = await app.issuer.machineToken(app.resource, algorithm)
      secrets.push(token)
      for (let time = 0; time < 2; time++) {
        const response = await send('/invoke', token, {
          tool: 'calculator',
          params: { expression: '6*7' },
        })
        expect(await response.json()).toMatchObject({ content: [{ type: 'text', text: '42' }] })
      }
    },
  )

  it('is refused with a token for another server', async () => {
    const token = await app.issuer.machineToken('https://other.example/mcp')
    secrets.push(token)
    const response = await send('/tools', token)
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toContain('error="invalid_token"')
  })
})

describe('the chat', () => {
  it('tells nothing to a client without a token, and makes no call', async () => {
    for (const body of [undefined, { message: 'What is 6*7?' }]) {
      const response = await send('/api/chat', undefined, body)
      expect(response.status).toBe(401)
      expect(response.headers.get('www-authenticate')).toContain('resource_metadata=')
      expect(await response.text()).not.toMatch(/demo|model/)
    }
  })

  it('works for each way of authentication, as the same caller', async () => {
    const token = await app.issuer.machineToken(app.resource)
    secrets.push(token)
    const callers: Record<string, string>[] = [
      bearer(app.apiKey),
      bearer(token),
      { 'x-forwarded-user': 'ada', 'x-forwarded-user-secret': app.proxySecret },
    ]
    const jobs = await Promise.all(
      callers.map(async (headers) => {
        const response = await fetch(`${app.url}/api/chat`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify({ message: 'draw a boat' }),
        })
        const text = await response.text()
        answers.push(text)
        expect(text).toContain('"type":"result"')
        return /"jobId":"([^"]+)"/.exec(text)?.[1]
      }),
    )
    for (const job of jobs) {
      const mine = jobs.indexOf(job)
      const statuses = callers.map(
        async (headers) => (await fetch(`${app.url}/jobs/${job}`, { headers })).status,
      )
      expect(await Promise.all(statuses)).toEqual(
        callers.map((_, caller) => (caller === mine ? 200 : 404)),
      )
    }
  })

  it('asks no model for a caller whose token or secret is wrong', async () => {
    const asked = app.model.requests.length
    const wrong: Record<string, string>[] = [
      bearer(`ftl_${'x'.repeat(43)}`),
      bearer('e30.e30.e30'),
      { 'x-forwarded-user': 'ada' },
      { 'x-forwarded-user': 'ada', 'x-forwarded-user-secret': 'x'.repeat(43) },
    ]
    for (const headers of wrong) {
      const response = await fetch(`${app.url}/api/chat`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ message: 'draw a boat' }),
      })
      expect(response.status).toBe(401)
    }
    expect(app.model.requests).toHaveLength(asked)
  })
})

describe('a page of another origin', () => {
  const PATHS = ['/mcp', '/tools', '/invoke', '/jobs/x', '/api/chat', '/whoami']

  it.each(PATHS)('that is allowed can read the challenge of %s, and send a token', async (path) => {
    const origin = 'http://localhost:5173'
    const method = ['/mcp', '/invoke'].includes(path) ? 'POST' : 'GET'
    const refused = await fetch(app.url + path, { method, headers: { origin } })
    expect(refused.status).toBe(401)
    expect(refused.headers.get('www-authenticate')).toContain('resource_metadata=')
    expect(refused.headers.get('access-control-allow-origin')).toBe(origin)
    expect(refused.headers.get('access-control-expose-headers')).toMatch(/\bWWW-Authenticate\b/)
    const preflight = await fetch(app.url + path, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': method,
        'access-control-request-headers': 'authorization',
      },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-headers')).toMatch(/\bAuthorization\b/)
  })

  it('that is not allowed can read nothing', async () => {
    for (const path of [...PATHS, '/.well-known/oauth-protected-resource']) {
      const refused = await fetch(app.url + path, {
        headers: { origin: 'https://evil.example', ...bearer(app.apiKey) },
      })
      expect(refused.status).toBe(403)
      expect(refused.headers.get('access-control-allow-origin')).toBeNull()
    }
  })
})

describe('an image', () => {
  it('is shown to the browser of its owner by links alone', async () => {
    const token = await app.issuer.machineToken(app.resource)
    secrets.push(token)
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'generate_image', arguments: { prompt: 'a lake' } },
    }
    const started = await send('/mcp', token, call)
    const { params } = (await started.json()) as { params: { ws_url: string; stream_id: string } }
    const job = `/jobs/${params.stream_id}`
    expect((await send(job)).status).toBe(401)
    expect((await send(job, app.apiKey)).status).toBe(404)

    const stranger = await messagesOf(params.ws_url.replace(/\?.*/, ''))
    expect(stranger).toContain('does not exist')
    const source = /"source":"([^"]+)"/.exec(await messagesOf(params.ws_url))?.[1] ?? ''
    expect(source).toContain(`${app.bridgeUrl}/outputs/`)
    expect((await fetch(source)).headers.get('content-type')).toBe('image/png')

    const events = await send(`${job}/events`, token)
    const link = /"(http[^"]+\.png\?link=[^"]+)"/.exec(await events.text())?.[1] ?? ''
    expect((await fetch(link)).status).toBe(200)
    expect((await fetch(link.replace(/\?.*/, ''))).status).toBe(401)
  })

  async function messagesOf(address: string): Promise<string> {
    const socket = new WebSocket(address)
    let text = ''
    socket.on('message', (data: Buffer) => (text += data.toString()))
    await new Promise((resolve) => socket.once('close', resolve))
    answers.push(text)
    return text
  }
})

it('after all this no token and no key is in a log, a trace, an error or an answer', async () => {
  const traced = () => app.collector.posts.map(({ body }) => body.toString('latin1'))
  await app.collector.until(() => traced().filter((text) => text.includes('calculator')))
  expect(secrets.length).toBeGreaterThan(7)
  const parts = secrets.flatMap((secret) => secret.split('.')).filter((part) => part.length > 20)
  // Headers of tokens of one algorithm are all the same, and no secret.
  const hidden = new Set(parts.filter((part) => !part.startsWith('eyJhbGciOi')))
  const model = app.model.requests.map((request) => JSON.stringify(request))
  expect(model.length).toBeGreaterThan(0)
  const places = { printed: app.printed, traced: traced(), answers, model }
  for (const [place, texts] of Object.entries(places)) {
    const all = texts.join('\n')
    expect(all.length, place).toBeGreaterThan(500)
    for (const part of hidden) expect(all.includes(part), place).toBe(false)
    // A link is for its owner, not for those who read logs, traces or the requests to a model.
    if (place !== 'answers') expect(all, place).not.toMatch(/link=[0-9a-z]+\.[\w-]{43}/)
  }
})
