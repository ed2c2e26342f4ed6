// Headers: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#request-metadata
import { describe, expect, it } from 'vitest'
import { IS_ON_SPIN } from '../../support/application.ts'
import { useApplication } from './application.ts'
import { expectHeaderMismatch, NOT_UTF8 } from './checks.ts'
import { ask, requestOf, sendRaw, textOf } from './client.ts'

const application = useApplication()

const SIMPLE = { name: 'test_simple_text', arguments: {} }
const encoded = (text: string) => `=?base64?${Buffer.from(text).toString('base64')}?=`

function call(params: Record<string, unknown>, headers: Record<string, string | undefined>) {
  return ask(application.url, 'tools/call', params, { headers })
}

describe('MCP-Protocol-Version', () => {
  it('[headers.version-required] must be there', async () => {
    const headers = { 'mcp-protocol-version': undefined }
    expectHeaderMismatch(await ask(application.url, 'tools/list', {}, { headers }))
  })

  it.each(['2025-11-25', '2025-03-26', '2099-01-01', 'latest'])(
    '[headers.version-matches] must be the version of the body, not %s',
    async (version) => {
      const headers = { 'mcp-protocol-version': version }
      expectHeaderMismatch(await ask(application.url, 'tools/list', {}, { headers }))
    },
  )
})

describe('Mcp-Method', () => {
  it.each(['tools/list', 'tools/call', 'server/discover', 'prompts/get'])(
    '[headers.method-required] must be there for %s',
    async (method) => {
      const headers = { 'mcp-method': undefined }
      expectHeaderMismatch(
        await ask(application.url, method, { name: 'test_simple_prompt' }, { headers }),
      )
    },
  )

  it.each(['tools/call', 'tools', 'tools/list/', 'TOOLS/LIST', 'Tools/List'])(
    '[headers.method-matches] [headers.values-exact-case] must be the method of the body, not %s',
    async (method) => {
      expectHeaderMismatch(
        await ask(application.url, 'tools/list', {}, { headers: { 'mcp-method': method } }),
      )
    },
  )
})

describe('Mcp-Name', () => {
  it.each([
    ['tools/call', SIMPLE],
    ['prompts/get', { name: 'test_simple_prompt' }],
    ['resources/read', { uri: 'test://static-text' }],
  ])(
    '[headers.name-required] [headers.name-matches] %s needs it, and the right one',
    async (method, params) => {
      const good = await ask(application.url, method, params)
      expect(good.status).toBe(200)
      expect(good.error).toBeUndefined()
      expectHeaderMismatch(
        await ask(application.url, method, params, { headers: { 'mcp-name': undefined } }),
      )
      expectHeaderMismatch(
        await ask(application.url, method, params, { headers: { 'mcp-name': 'another' } }),
      )
    },
  )

  it('[headers.values-exact-case] is compared with regard to case', async () => {
    expectHeaderMismatch(await call(SIMPLE, { 'mcp-name': 'TEST_SIMPLE_TEXT' }))
  })

  it.each([
    'server/discover',
    'tools/list',
    'prompts/list',
    'resources/list',
    'resources/templates/list',
  ])('[headers.name-only-there] %s does not need it', async (method) => {
    expect((await ask(application.url, method)).status).toBe(200)
  })

  it('[headers.name-decoded] may be encoded', async () => {
    const answer = await call(SIMPLE, { 'mcp-name': encoded('test_simple_text') })
    expect(textOf(answer)).toBe('This is a simple text response for testing.')
    expectHeaderMismatch(await call(SIMPLE, { 'mcp-name': encoded('another') }))
  })

  it('[headers.name-decoded] of any script is decoded as UTF-8', async () => {
    const params = { name: 'wetter_für_世界', arguments: {} }
    const { status, error } = await call(params, { 'mcp-name': encoded(params.name) })
    // It agrees with the body; that there is no such tool is another matter.
    expect([status, error?.code]).toEqual([200, -32602])
  })

  it('[headers.sentinel-exact] is only decoded between markers as they are written', async () => {
    const base64 = Buffer.from('test_simple_text').toString('base64')
    for (const value of [
      `=?BASE64?${base64}?=`,
      `=?Base64?${base64}?=`,
      `=?base64?${base64}`,
      base64,
    ]) {
      expectHeaderMismatch(await call(SIMPLE, { 'mcp-name': value }))
    }
  })

  it('[headers.invalid-characters] is refused when its encoding is broken', async () => {
    for (const value of ['=?base64?%%%?=', '=?base64?dGVzd?=', '=?base64?/w==?=']) {
      expectHeaderMismatch(await call(SIMPLE, { 'mcp-name': value }))
    }
  })

  it('[headers.invalid-characters] is refused with bytes outside ASCII, even those of the body', async ({
    skip,
  }) => {
    skip(IS_ON_SPIN, NOT_UTF8)
    const name = 'caf\u00e9'
    expectHeaderMismatch(await call({ name, arguments: {} }, { 'mcp-name': name }))
  })
})

it('[headers.names-any-case] names of headers may be spelled in any case', async () => {
  const { headers, message } = requestOf('tools/call', SIMPLE)
  for (const spell of [
    (name: string) => name.toUpperCase(),
    (name: string) => name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()),
  ]) {
    const spelled = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [spell(name), value]),
    )
    const { status, result } = await sendRaw(application.url, {
      headers: { 'Content-Type': 'application/json', Accept: 'application/json', ...spelled },
      body: JSON.stringify(message),
    })
    expect([status, result['resultType']]).toEqual([200, 'complete'])
  }
})
