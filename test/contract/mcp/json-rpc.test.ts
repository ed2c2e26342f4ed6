// Messages: https://modelcontextprotocol.io/specification/2026-07-28/basic/index#messages
import { describe, expect, it } from 'vitest'
import { useApplication } from './application.ts'
import { ALL, ask, LEGACY, requestOf, send } from './client.ts'

const application = useApplication()

/** The request of a revision, with some of its members changed. */
function changed(revision: string, change: Record<string, unknown>, method = 'tools/list') {
  const { headers, message } = requestOf(method, {}, { revision, id: 7 })
  return { headers, body: { ...message, ...change } }
}

describe.each(ALL)('a message of %s', (revision) => {
  it('[jsonrpc.version] is refused without jsonrpc 2.0', async () => {
    for (const jsonrpc of ['1.0', 2, undefined]) {
      const { headers, body } = changed(revision, { jsonrpc })
      const { status, error } = await send(application.url, body, headers)
      expect([status, error?.code]).toEqual([400, -32600])
    }
  })

  it('[jsonrpc.parse-error] that is no JSON is answered with -32700 and no id', async () => {
    for (const body of ['{"jsonrpc":"2.0","id":1,', '', 'hello']) {
      const { headers } = changed(revision, {})
      const { status, messages } = await send(application.url, body, headers)
      expect(status).toBe(400)
      expect(messages[0]?.error?.code).toBe(-32700)
      expect(messages[0]?.id ?? null).toBeNull()
    }
  })

  it.each([[null], [true], [{}], [['a']]])(
    '[jsonrpc.id-not-null] with the id %j is refused',
    async (id) => {
      const { headers, body } = changed(revision, { id })
      const { status, error, messages } = await send(application.url, body, headers)
      expect([status, error?.code]).toEqual([400, -32600])
      expect(messages[0]).not.toHaveProperty('result')
    },
  )

  it.each([['text'], [[1]], [5]])(
    '[jsonrpc.params-object] with the params %j is refused',
    async (params) => {
      const { headers, body } = changed(revision, { params })
      const { status, error, messages } = await send(application.url, body, headers)
      expect(status).toBe(400)
      expect([-32600, -32602]).toContain(error?.code)
      expect(messages[0]?.id).toBe(7)
    },
  )

  it.each([[7], [0], [-3], ['7'], [''], ['ä €']])(
    '[jsonrpc.result-same-id] [jsonrpc.error-same-id] is answered with its id %j',
    async (id) => {
      const good = await ask(application.url, 'tools/list', {}, { revision, id })
      expect(good.messages[0]).toMatchObject({
        jsonrpc: '2.0',
        id,
        result: { tools: expect.any(Array) as unknown },
      })
      const params = { name: 'no_such_tool', arguments: {} }
      const bad = await ask(application.url, 'tools/call', params, { revision, id })
      expect(bad.messages[0]).toMatchObject({ jsonrpc: '2.0', id, error: { code: -32602 } })
    },
  )

  it('[jsonrpc.error-shape] in error has an integer code, a message, and no result', async () => {
    const answers = await Promise.all([
      ask(application.url, 'no/such/method', {}, { revision }),
      ask(application.url, 'tools/call', {}, { revision }),
      ask(application.url, 'tools/call', { name: 'no_such_tool' }, { revision }),
      ask(application.url, 'tools/list', { cursor: 'none' }, { revision }),
    ])
    for (const { messages } of answers) {
      expect(messages).toHaveLength(1)
      expect(Number.isInteger(messages[0]?.error?.code)).toBe(true)
      expect(messages[0]?.error?.message).toMatch(/\S/)
      expect(messages[0]).not.toHaveProperty('result')
    }
  })

  it.each(['notifications/cancelled', 'notifications/nobody-knows', 'tools/list'])(
    '[jsonrpc.notification-unanswered] without an id gets no answer: %s',
    async (method) => {
      const { headers, body } = changed(revision, { id: undefined }, method)
      const { status, text } = await send(application.url, body, headers)
      expect([status, text]).toEqual([202, ''])
    },
  )
})

describe.each(LEGACY)('a method of %s', (revision) => {
  it.each(['no/such/method', 'server/discover', 'constructor', 'toString', ''])(
    '[jsonrpc.method-not-found] that is not there is answered with -32601: "%s"',
    async (method) => {
      const { error } = await ask(application.url, method, {}, { revision })
      expect(error?.code).toBe(-32601)
    },
  )
})

describe('several messages in one body', () => {
  it.each(['2026-07-28', '2025-11-25', '2025-06-18'])(
    '[jsonrpc.one-message] are refused at %s',
    async (revision) => {
      const { headers, body } = changed(revision, {})
      const { status, error } = await send(application.url, [body], headers)
      expect([status, error?.code]).toEqual([400, -32600])
    },
  )

  const headers = { 'mcp-protocol-version': '2025-03-26' }
  const call = (id: number, name: string) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name, arguments: {} },
  })

  it('[jsonrpc.batch] are each answered at 2025-03-26', async () => {
    const batch = [
      call(1, 'test_simple_text'),
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      call(2, 'no_such_tool'),
    ]
    const { status, text } = await send(application.url, batch, headers)
    expect(status).toBe(200)
    const answers = JSON.parse(text) as { id: number }[]
    expect(answers.toSorted((a, b) => a.id - b.id)).toMatchObject([
      { id: 1, result: { content: [{ type: 'text' }] } },
      { id: 2, error: { code: -32602 } },
    ])
  })

  it('[jsonrpc.batch-of-notifications] that are all notifications get 202 and no body', async () => {
    const note = { jsonrpc: '2.0', method: 'notifications/initialized' }
    const { status, text } = await send(application.url, [note, note], headers)
    expect([status, text]).toEqual([202, ''])
  })

  it('[jsonrpc.batch-without-initialize] must not hold initialize', async () => {
    const params = {
      protocolVersion: '2025-03-26',
      capabilities: {},
      clientInfo: { name: 'a', version: '1' },
    }
    const batch = [{ jsonrpc: '2.0', id: 1, method: 'initialize', params }]
    const { text } = await send(application.url, batch, headers)
    expect(text).toContain('-32600')
    expect(text).not.toContain('protocolVersion')
  })

  it('[jsonrpc.batch] hide no modern message', async () => {
    const modern = requestOf('tools/list', {})
    const { status, error } = await send(application.url, [modern.message])
    expect([status, error?.code]).toEqual([400, -32600])
  })
})
