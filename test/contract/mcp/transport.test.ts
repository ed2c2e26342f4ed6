// Streamable HTTP: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
import { networkInterfaces } from 'node:os'
import { describe, expect, it } from 'vitest'
import { listenOption } from '../../../cli/src/commands/options.ts'
import { STREAMABLE } from '../../requirements/rule.ts'
import { useApplication } from './application.ts'
import { ALL, ask, LEGACY, requestOf, send, sendRaw, textOf } from './client.ts'
import { embeddedOnly } from '../../support/embedded-only.ts'

const application = useApplication()

/** A good request of the revision with other headers, sent as they are. */
function withHeaders(revision: string, extra: Record<string, string>, method = 'tools/list') {
  const { headers, message } = requestOf(method, {}, { revision })
  return sendRaw(application.url, {
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
      ...extra,
    },
    body: JSON.stringify(message),
  })
}

describe.each(STREAMABLE)('who may call, at %s', (revision) => {
  it.each([
    'https://evil.example',
    'http://evil.example:3000',
    'http://localhost.evil.example',
    'null',
  ])('[http.origin-403] not a page of %s', async (origin) => {
    const { status, messages } = await withHeaders(revision, { origin })
    expect(status).toBe(403)
    expect(messages[0]?.id ?? null).toBeNull()
    expect(messages[0]).not.toHaveProperty('result')
  })

  it.each(['http://localhost:6274', 'http://127.0.0.1:8080'])(
    '[http.origin-allowed] a page of this machine, %s',
    async (origin) => {
      const { status, result } = await withHeaders(revision, { origin })
      expect(status).toBe(200)
      expect(result['tools']).toBeInstanceOf(Array)
    },
  )

  it('[http.origin-allowed] a page of the gateway itself, and a program', async () => {
    expect((await withHeaders(revision, { origin: application.url })).status).toBe(200)
    expect((await withHeaders(revision, {})).status).toBe(200)
  })

  it(
    '[http.dns-rebinding] not by a name somebody else pointed here',
    embeddedOnly('an external application may allow other hosts'),
    async () => {
      const port = new URL(application.url).port
      for (const host of [`evil.example:${port}`, 'localhost.evil.example', 'gateway.example']) {
        expect((await withHeaders(revision, { host })).status).toBe(403)
      }
      for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`]) {
        expect((await withHeaders(revision, { host })).status).toBe(200)
      }
    },
  )

  it(
    '[http.dns-rebinding] not by a page of the name that was pointed here',
    embeddedOnly('an external application may allow other hosts'),
    async () => {
      const host = `evil.example:${new URL(application.url).port}`
      expect((await withHeaders(revision, { host, origin: `http://${host}` })).status).toBe(403)
    },
  )
})

describe.each(STREAMABLE)('an answer at %s', (revision) => {
  it.each([['tools/list'], ['no/such/method']])(
    '[http.content-type] is JSON or a stream of events: %s',
    async (method) => {
      const { headers } = await ask(application.url, method, {}, { revision })
      expect(headers.get('content-type')).toMatch(/^(application\/json|text\/event-stream)\b/)
    },
  )

  it('[http.content-type] is JSON for a client that takes only JSON', async () => {
    const params = { name: 'test_tool_with_progress', arguments: {} }
    const headers = { accept: 'application/json' }
    const meta = { progressToken: 'p' }
    const answer = await ask(application.url, 'tools/call', params, { revision, headers, meta })
    expect(answer.headers.get('content-type')).toMatch(/^application\/json\b/)
    expect(textOf(answer)).toBe('The tool with progress has run.')
  })

  it('[http.no-session] mints no session id and ignores one that is sent', async () => {
    const first = await ask(application.url, 'tools/list', {}, { revision })
    expect(first.headers.has('mcp-session-id')).toBe(false)
    const headers = { 'mcp-session-id': 'of-an-older-server' }
    const second = await ask(application.url, 'tools/list', {}, { revision, headers })
    expect(second.status).toBe(200)
    expect(second.headers.has('mcp-session-id')).toBe(false)
  })

  it('[http.get-405] [http.delete-405] GET and DELETE are not allowed', async () => {
    for (const method of ['GET', 'DELETE']) {
      const headers = { accept: 'text/event-stream', 'mcp-protocol-version': revision }
      const response = await fetch(`${application.url}/mcp`, { method, headers })
      expect(response.status).toBe(405)
      expect(response.headers.get('allow')).toContain('POST')
    }
  })
})

it('[http.last-event-id-ignored] Last-Event-ID changes nothing', async () => {
  const headers = { 'last-event-id': '42' }
  const { status, result } = await ask(application.url, 'tools/list', {}, { headers })
  expect(status).toBe(200)
  expect(result['tools']).toBeInstanceOf(Array)
})

describe.each(STREAMABLE)('a notification at %s', (revision) => {
  const headers = { 'mcp-protocol-version': revision }

  it.each(['notifications/initialized', 'notifications/cancelled', 'notifications/something-new'])(
    '[http.notification-202] is accepted without a body: %s',
    async (method) => {
      const { status, text } = await send(application.url, { jsonrpc: '2.0', method }, headers)
      expect([status, text]).toEqual([202, ''])
    },
  )

  it.each([
    ['another protocol', { jsonrpc: '1.0', method: 'notifications/initialized' }],
    ['no method', { jsonrpc: '2.0' }],
    ['a method that is no text', { jsonrpc: '2.0', method: 5 }],
    [
      'params that are no object',
      { jsonrpc: '2.0', method: 'notifications/initialized', params: 5 },
    ],
  ])('[http.notification-refused] is refused with %s', async (_, message) => {
    const { status } = await send(application.url, message, headers)
    expect(status).toBe(400)
  })
})

it.each(['2025-11-25', '2025-06-18', '2025-03-26'])(
  '[http.response-202] a response that a client of %s posts is accepted',
  async (revision) => {
    const headers = { 'mcp-protocol-version': revision }
    const { status, text } = await send(
      application.url,
      { jsonrpc: '2.0', id: 1, result: {} },
      headers,
    )
    expect([status, text]).toEqual([202, ''])
  },
)

it.each(LEGACY)(
  '[cancel.notification] at %s a cancellation of nothing is accepted',
  async (revision) => {
    const params = { requestId: 'never-sent', reason: 'a test' }
    const message = { jsonrpc: '2.0', method: 'notifications/cancelled', params }
    const { status } = await send(application.url, message, { 'mcp-protocol-version': revision })
    expect(status).toBe(202)
  },
)

it.each(ALL)('[http.utf-8] text of every script comes back whole at %s', async (revision) => {
  const text = 'Grüße, 世界, עולם, 🐉 \u0000 \u2028'
  const params = { name: 'repeat', arguments: { text } }
  const answer = await ask(application.url, 'tools/call', params, { revision })
  expect(textOf(answer)).toBe(text)
})

it(
  '[http.localhost-only] a gateway started without an address is on this machine only',
  embeddedOnly('tests the default address of ftl up'),
  async () => {
    expect(listenOption().defaultValue).toMatch(/^127\.0\.0\.1:\d+$/)
    const { port } = new URL(application.url)
    const others = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter(({ family, internal }) => family === 'IPv4' && !internal)
    for (const { address } of others) {
      await expect(fetch(`http://${address}:${port}/mcp`)).rejects.toThrow('fetch failed')
    }
  },
)
