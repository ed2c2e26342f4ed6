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
import { ftl } from '../support/command.ts'
import { type AuthenticatedApplication, startAuthenticated } from './application.ts'
import type { SigningAlgorithm } from './authorization-server.ts'
import { filesIn, foundIn, partsOf } from './leaks.ts'
import { MemoryProvider } from './memory-provider.ts'

let app: AuthenticatedApplication
/** Every token and secret that was used. */
const secrets: string[] = []
/** Every body that a client received. */
const answers: string[] = []
/** What `ftl` printed. */
const commands: string[] = []

beforeAll(async () => {
  app = await startAuthenticated({ audited: true })
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

describe('the endpoint of one component', () => {
  it('is a resource of its own for an official client, whose token is for it alone', async () => {
    const endpoint = `${app.resource}/x/calculator`
    const provider = new MemoryProvider()
    const transport = () => new TransportV2(new URL(endpoint), { authProvider: provider })
    const first = transport()
    const client = () => new ClientV2({ name: 'test', version: '1' })
    await expect(client().connect(first)).rejects.toThrow(UnauthorizedV2)
    expect(provider.address().searchParams.get('resource')).toBe(endpoint)
    const back = await app.issuer.signIn(provider.address())
    await first.finishAuth(back.searchParams)
    const signedIn = client()
    await signedIn.connect(transport())
    expect((await signedIn.listTools()).tools.map(({ name }) => name)).toEqual(['calculator'])
    await signedIn.close()
    const token = provider.tokens()?.access_token ?? ''
    secrets.push(token)
    for (const path of ['/mcp', '/mcp/x/echo', '/invoke']) {
      const response = await send(path, token, { jsonrpc: '2.0', id: 1, method: 'tools/list' })
      expect(response.status, path).toBe(401)
    }
  })
})

describe('a bad request', () => {
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

  it('with a token that is changed, foreign, repeated or in the wrong place is refused', async () => {
    const good = await app.issuer.machineToken(app.resource)
    const foreign = await app.issuer.machineToken('https://another.example/mcp')
    const [head = '', body = '', tail = ''] = good.split('.')
    const changed = `${head}.${body}.${tail.slice(0, 10)}${[...tail.slice(10)].reverse().join('')}`
    secrets.push(good, foreign, changed)
    for (const token of [changed, foreign, `${good} ${good}`, `${good}x`, `${app.apiKey}x`]) {
      for (const path of ['/mcp', '/invoke', '/api/chat', '/jobs/x']) {
        expect([400, 401, 404]).toContain((await send(path, token, list)).status)
      }
    }
    expect((await send(`/mcp?access_token=${good}`, undefined, list)).status).toBe(400)
    expect((await send(`/outputs/x.png?access_token=${good}`)).status).toBe(400)
    const basic = { authorization: `Basic ${Buffer.from(`x:${good}`).toString('base64')}` }
    const response = await fetch(`${app.url}/mcp`, { method: 'POST', headers: basic })
    answers.push(await response.text())
    expect(response.status).toBe(401)
  })

  it('that is authenticated fails without its token', async () => {
    const token = await app.issuer.machineToken(app.resource)
    secrets.push(token)
    const bodies = [{ tool: 'no_such_tool' }, { tool: 'calculator', params: { expression: '1/' } }]
    for (const body of bodies) {
      expect(await (await send('/invoke', token, body)).text()).toMatch(/error|isError/)
    }
    const none = '/jobs/97890d15-b8ea-410b-a322-7c35d1415d5f'
    expect((await send(none, token)).status).toBe(404)
    expect((await send('/nothing', token)).status).toBe(404)
  })

  it('of the command fails without its token', async () => {
    const bad = `${await app.issuer.machineToken(app.resource)}x`
    secrets.push(bad)
    for (const [token, code] of [
      [bad, 4],
      [app.apiKey, 0],
    ] as const) {
      const command = ftl(['tools', '--url', app.resource], { env: { FTL_TOKEN: token } })
      expect(await command.exited, command.output()).toBe(code)
      commands.push(command.output())
    }
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

  it('works with a key and with a token, as the same caller', async () => {
    const token = await app.issuer.machineToken(app.resource)
    secrets.push(token)
    const callers = [bearer(app.apiKey), bearer(token)]
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

  it('asks no model for a caller whose token or secret is wrong, or whose scopes are too few', async () => {
    const asked = app.model.requests.length
    // A proxy names no scopes, and this server requires one (auth_scopes).
    const proxied = { 'x-forwarded-user': 'ada', 'x-forwarded-user-secret': app.proxySecret }
    const wrong: [Record<string, string>, status: number][] = [
      [bearer(`ftl_${'x'.repeat(43)}`), 401],
      [bearer('e30.e30.e30'), 401],
      [{ 'x-forwarded-user': 'ada' }, 401],
      [{ 'x-forwarded-user': 'ada', 'x-forwarded-user-secret': 'x'.repeat(43) }, 401],
      [proxied, 403],
    ]
    for (const [headers, status] of wrong) {
      const response = await fetch(`${app.url}/api/chat`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ message: 'draw a boat' }),
      })
      expect(response.status).toBe(status)
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

    // https://modelcontextprotocol.io/docs/2026-07-28/tutorials/security/security_best_practices#state-handle-hijacking
    const [picture = ''] = /\/outputs\/[^?]+/.exec(link) ?? []
    const enlarge = async (image: string, by: string) => {
      const response = await send('/invoke', by, { tool: 'upscale_image', params: { image } })
      return response.text()
    }
    for (const image of [picture, link, `${app.url}${picture}`]) {
      expect(await enlarge(image, app.apiKey)).toContain('was not found')
    }
    const uri = picture.replace('/outputs/', 'picture://generate-image/')
    const read = { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri } }
    expect(await (await send('/mcp', app.apiKey, read)).text()).toContain('"error"')
    expect(await (await send('/mcp', token, read)).text()).toContain('"blob"')
    expect(await enlarge(picture, token)).not.toContain('was not found')
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

it('after all this no token and no key is anywhere', async () => {
  const traced = () => app.collector.posts.map(({ body }) => body.toString('latin1'))
  await app.collector.until(() => traced().filter((text) => text.includes('calculator')))
  await app.closeHost()
  const state = await filesIn(app.stateDir)
  const model = app.model.requests.map((request) => JSON.stringify(request))
  expect(model.length).toBeGreaterThan(0)
  expect([...state.values()].join()).toContain('gateway:token:')
  const parts = partsOf(secrets)
  expect(parts.length).toBeGreaterThan(20)
  expect(foundIn(secrets.join(), parts).length).toBe(parts.length)
  const written = [...state].map(([name, text]) => name + text)
  // The audit log is a file of the state, and its lines were sent to the collector.
  const audited = app.collector.logs().map(({ body }) => body)
  expect(written.join()).toContain('"event":"call"')
  expect(audited.join()).toContain('"principal":"key:ci"')
  const headers = app.collector.posts.map((post) => JSON.stringify(post.headers))
  const places = {
    printed: app.printed,
    traced: traced(),
    headers,
    answers,
    model,
    commands,
    written,
    audited,
  }
  for (const [place, texts] of Object.entries(places)) {
    const all = texts.join('\n')
    expect(all.length, place).toBeGreaterThan(500)
    expect(foundIn(all, parts), place).toEqual([])
    // A link is for its owner, not for those who read logs, traces or the requests to a model.
    if (place !== 'answers') expect(all, place).not.toMatch(/link=[0-9a-z]+\.[\w-]{43}/)
  }
})
