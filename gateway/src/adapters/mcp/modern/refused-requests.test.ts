import { describe, expect, it } from 'vitest'
import { type Component, createWorld, several, text, tool } from '../../../testing/components.ts'
import { modern, type ModernOptions } from '../../../testing/modern.ts'

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion'
const world = (components: Record<string, Component>, variables = {}) =>
  createWorld({ components, variables })
const echo = { one: several([tool('echo'), tool('other')]) }

async function ask(
  w: ReturnType<typeof world>,
  method: string,
  params?: Record<string, unknown>,
  options?: ModernOptions,
) {
  const response = await w.send(modern(method, params, options))
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

describe('a request that is not as it should be', () => {
  const meta = (changes: object) => ({ meta: changes })
  const headers = (changes: Record<string, string | undefined>) => ({ headers: changes })
  const cases: [string, ModernOptions, number][] = [
    ['no capabilities', meta({ 'io.modelcontextprotocol/clientCapabilities': undefined }), -32602],
    ['odd capabilities', meta({ 'io.modelcontextprotocol/clientCapabilities': [] }), -32602],
    ['a version that is no text', meta({ [VERSION_KEY]: 5 }), -32602],
    ['no version beside a modern header', meta({ [VERSION_KEY]: undefined }), -32602],
    ['an odd log level', meta({ 'io.modelcontextprotocol/logLevel': 'loud' }), -32602],
    ['no version header', headers({ 'mcp-protocol-version': undefined }), -32020],
    ['another version in the header', headers({ 'mcp-protocol-version': '2025-11-25' }), -32020],
    ['no method header', headers({ 'mcp-method': undefined }), -32020],
    ['another method in the header', headers({ 'mcp-method': 'Tools/Call' }), -32020],
    ['no name header', headers({ 'mcp-name': undefined }), -32020],
    ['another name in the header', headers({ 'mcp-name': 'other' }), -32020],
    ['a name header that is no base64', headers({ 'mcp-name': '=?base64?####?=' }), -32020],
  ]
  it.each(cases)('is refused with 400: %s', async (_what, options, code) => {
    const w = world(echo)
    const { status, body } = await ask(w, 'tools/call', { name: 'echo' }, { id: 'x', ...options })
    expect(status).toBe(400)
    expect(body).toMatchObject({ error: { code }, id: 'x' })
    expect(w.log.filter((line) => line.startsWith('POST'))).toEqual([])
  })

  it('says why in the message, which is all that most clients show', async () => {
    const missing = await ask(
      world(echo),
      'tools/call',
      { name: 'echo' },
      meta({ [VERSION_KEY]: 5 }),
    )
    const { message } = missing.body['error'] as { message: string }
    expect(message).toMatch(/^Invalid params: _meta: .*protocolVersion/)
    const none = await ask(world(echo), 'prompts/list')
    expect(none.body).toMatchObject({ error: { message: 'Method not found: prompts/list' } })
  })

  // Serde and others refuse an answer with half of a character.
  it('says a long method up to a whole character', async () => {
    const request = { jsonrpc: '2.0', id: 1, method: `a${'😀'.repeat(400)}` }
    const answer = await world(echo).rpc(request, { 'mcp-protocol-version': '2025-11-25' })
    const { message } = (answer as { error: { message: string } }).error
    expect(message).toMatch(/^Method not found: a😀/)
    expect(message.length).toBeLessThan(600)
    expect(message.isWellFormed()).toBe(true)
  })

  it('contains the message of the component that refused it, without a field name that it did not give', async () => {
    const offer = { resources: [{ uri: 'note://a', name: 'a' }] }
    const one = (request: Request) =>
      new URL(request.url).pathname === '/'
        ? Response.json(offer)
        : Response.json({ error: { code: 'refused', message: 'gone fishing' } }, { status: 400 })
    const { body } = await ask(world({ one }), 'resources/read', { uri: 'note://a' })
    expect(body).toMatchObject({ error: { code: -32602, message: 'Invalid params: gone fishing' } })
  })

  it('is told which revisions there are', async () => {
    const version = '2030-01-01'
    const options = {
      meta: { [VERSION_KEY]: version },
      headers: { 'mcp-protocol-version': version },
    }
    const { status, body } = await ask(world(echo), 'tools/list', {}, options)
    expect(status).toBe(400)
    expect(body).toMatchObject({
      error: { code: -32022, data: { supported: ['2026-07-28'], requested: version } },
    })
  })

  it.each(['initialize', 'ping', 'logging/setLevel', 'resources/subscribe', 'constructor'])(
    'does not know %s',
    async (method) => {
      const { status, body } = await ask(world(echo), method)
      expect(status).toBe(404)
      expect(body).toMatchObject({ error: { code: -32601 }, id: 1 })
    },
  )

  it('takes spaces around header values, and names in base64', async () => {
    const options = {
      headers: { 'mcp-name': ' =?base64?ZWNobw==?= ', 'mcp-method': ' tools/call ' },
    }
    const { body } = await ask(world(echo), 'tools/call', { name: 'echo' }, options)
    expect(body).toMatchObject({ result: text('echo') })
  })
})
