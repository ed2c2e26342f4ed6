// Arguments in headers:
// https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#custom-headers-from-tool-parameters
import { describe, expect, it } from 'vitest'
import { IS_ON_SPIN } from '../../support/application.ts'
import { useApplication } from './application.ts'
import { expectHeaderMismatch, NOT_UTF8 } from './checks.ts'
import { ask, textOf } from './client.ts'

const application = useApplication()

const SIMPLE = { name: 'test_simple_text', arguments: {} }

function call(params: Record<string, unknown>, headers: Record<string, string | undefined>) {
  return ask(application.url, 'tools/call', params, { headers })
}

describe('Mcp-Param-…', () => {
  const params = (args: Record<string, unknown>) => ({ name: 'header_params', arguments: args })
  const agreeing: [Record<string, unknown>, Record<string, string>][] = [
    [{ region: 'us-west1' }, { 'mcp-param-region': 'us-west1' }],
    [{ region: '' }, { 'mcp-param-region': '' }],
    [{ count: 42 }, { 'mcp-param-count': '42' }],
    [{ count: -7 }, { 'mcp-param-count': '-7' }],
    [{ dry: true }, { 'mcp-param-dry-run': 'true' }],
    [{ dry: false }, { 'mcp-param-dry-run': 'false' }],
    [{ options: { zone: 'b' } }, { 'mcp-param-zone': 'b' }],
  ]
  it.each(agreeing)(
    '[headers.param-matches] [headers.param-types] [headers.param-nested] %j is served with %j',
    async (args, headers) => {
      const answer = await call(params(args), headers)
      expect(JSON.parse(String(textOf(answer)))).toEqual(args)
    },
  )

  const disagreeing: [Record<string, unknown>, Record<string, string>][] = [
    [{ region: 'us-west1' }, { 'mcp-param-region': 'eu-west1' }],
    [{ region: 'us-west1' }, { 'mcp-param-region': 'US-WEST1' }],
    [{ region: 'us-west1' }, { 'mcp-param-region': '' }],
    [{ count: 42 }, { 'mcp-param-count': '43' }],
    [{ count: 42 }, { 'mcp-param-count': 'forty-two' }],
    [{ dry: true }, { 'mcp-param-dry-run': 'True' }],
    [{ dry: true }, { 'mcp-param-dry-run': '1' }],
    [{ options: { zone: 'b' } }, { 'mcp-param-zone': 'a' }],
  ]
  it.each(disagreeing)(
    '[headers.param-matches] [headers.param-types] [headers.param-nested] %j is refused with %j',
    async (args, headers) => expectHeaderMismatch(await call(params(args), headers)),
  )

  it.each([
    [{ region: 'us-west1' }],
    [{ count: 0 }],
    [{ dry: false }],
    [{ options: { zone: 'b' } }],
  ])('[headers.param-required] %j is refused without its header', async (args) =>
    expectHeaderMismatch(await call(params(args), {})),
  )

  it.each([[{}], [{ dry: null }], [{ options: {} }]])(
    '[headers.param-not-expected] %j needs no header',
    async (args) => {
      const answer = await call(params(args), {})
      expect(JSON.parse(String(textOf(answer)))).toEqual(args)
    },
  )

  // The examples of the specification.
  it.each([
    ['Hello, 世界', '=?base64?SGVsbG8sIOS4lueVjA==?='],
    [' padded ', '=?base64?IHBhZGRlZCA=?='],
    ['line1\nline2', '=?base64?bGluZTEKbGluZTI=?='],
    ['=?base64?literal?=', '=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?='],
  ])('[headers.param-decoded] %j may come as %s', async (region, header) => {
    const answer = await call(params({ region }), { 'mcp-param-region': header })
    expect(JSON.parse(String(textOf(answer)))).toEqual({ region })
  })

  it('[headers.param-decoded] is compared decoded, not as it came', async () => {
    const region = '=?base64?dXMtd2VzdDE=?='
    expectHeaderMismatch(await call(params({ region }), { 'mcp-param-region': region }))
  })

  it.each(['42.0', '42.00'])('[headers.param-numeric] 42 may come as %s', async (header) => {
    const answer = await call(params({ count: 42 }), { 'mcp-param-count': header })
    expect(JSON.parse(String(textOf(answer)))).toEqual({ count: 42 })
  })

  it('[headers.invalid-characters] is refused with bytes outside ASCII, even those of the argument', async ({
    skip,
  }) => {
    skip(IS_ON_SPIN, NOT_UTF8)
    expectHeaderMismatch(
      await call(params({ region: 'caf\u00e9' }), { 'mcp-param-region': 'caf\u00e9' }),
    )
  })

  it('[headers.param-unknown] that no property names is ignored', async () => {
    const answer = await call(SIMPLE, { 'mcp-param-whatever': 'x', 'mcp-param-region': 'x' })
    expect(textOf(answer)).toBe('This is a simple text response for testing.')
  })
})
