import { SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client'
import { expect, it } from 'vitest'
import { Client } from './client.ts'
import { AuthenticationError } from './errors.ts'
import { explain } from './explain.ts'

const issues = JSON.stringify(
  [
    {
      code: 'invalid_union',
      errors: [[{ code: 'invalid_value', values: ['text'], path: ['type'], message: 'No.' }]],
      path: ['content', 0],
      message: 'Invalid input',
    },
  ],
  null,
  2,
)

it.each([issues, `ZodError: ${issues}`])('a violation is one sentence', (list) => {
  const message = `Invalid result for tools/call: ${list}`
  const error = new SdkError(SdkErrorCode.InvalidResult, message)
  expect(explain(error, { what: 'tools/call', name: 'odd' })).toMatchObject({
    kind: 'violation',
    message: 'server "odd": Invalid result for tools/call: content.0 is not valid (Invalid input)',
  })
})

it('a violation without a list of issues keeps its message', () => {
  const message = 'Invalid result for tools/call: not an object'
  const error = new SdkError(SdkErrorCode.InvalidResult, message)
  expect(explain(error, { what: 'tools/call', name: 'odd' }).message).toBe(
    `server "odd": ${message}`,
  )
})

it('a refusal for too many requests says what to do', () => {
  const data = { status: 429 }
  const error = new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, 'Error POSTing', data)
  const { message } = explain(error, { what: 'tools/call', name: 'odd' })
  expect(message).toMatch(/HTTP 429: too many requests.*try again/)
})

it.each([
  ['JSON-RPC', { jsonrpc: '2.0', error: { code: -32_600, message: 'No policy: set it.' } }],
  ['plain JSON', { error: { code: 'no_policy', message: 'No policy: set it.' } }],
  ['a message alone', { message: 'No policy: set it.' }],
])('the reason of a refusal is named: %s', (_, body) => {
  const data = { status: 403, text: JSON.stringify(body) }
  const error = new SdkHttpError(SdkErrorCode.ClientHttpForbidden, 'Error POSTing', data)
  expect(explain(error, { what: 'tools/call', name: 'odd' }).message).toBe(
    'server "odd" answered with HTTP 403: No policy: set it.',
  )
})

it.each(['<html>no</html>', 'null', '{"error":null}', '{"error":{"message":5}}', undefined])(
  'a refusal without a reason is its status: %s',
  (text) => {
    const data = { status: 403, text }
    const error = new SdkHttpError(SdkErrorCode.ClientHttpForbidden, 'Error POSTing', data)
    expect(explain(error, { what: 'tools/call', name: 'odd' }).message).toBe(
      'server "odd" answered with HTTP 403',
    )
  },
)

it('an unknown protocol is refused before a process is started', async () => {
  const config = { command: 'no-such-command', protocol: 'newest' as 'auto' }
  await expect(Client.connect(config)).rejects.toMatchObject({
    kind: 'config',
    message: 'protocol: "newest" must be one of auto, legacy, 2026-07-28',
  })
})

it('a server that requires sign-in is reported as such, also when the official client wraps it', () => {
  const error = new AuthenticationError('gw.example requires sign-in')
  const wrapped = new Error('the negotiation failed', { cause: new Error('x', { cause: error }) })
  expect(explain(wrapped, { what: 'initialize', name: 'gw' })).toBe(error)
})
