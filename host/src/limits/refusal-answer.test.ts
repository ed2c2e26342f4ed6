import { expect, it } from 'vitest'
import { refusalAnswer } from './refusal-answer.ts'

const answered = (pathname: string, by: 'caller' | 'audit') => {
  const { headers, body } = refusalAnswer(pathname, { by, message: 'Wait.', retryAfter: 3 })
  return { retryAfter: headers['retry-after'], body: JSON.parse(body) as unknown }
}

it('a rate limit at an endpoint of MCP has the error of the draft, in milliseconds', () => {
  for (const path of ['/mcp', '/mcp/x/echo']) {
    expect(answered(path, 'caller')).toEqual({
      retryAfter: 3,
      body: {
        jsonrpc: '2.0',
        id: null,
        error: {
          code: -32023,
          message: 'Wait.',
          data: { retryAfterMs: 3000, reason: 'rate_limited', by: 'caller' },
        },
      },
    })
  }
})

it('another refusal there, and a rate limit elsewhere, have other errors', () => {
  expect(answered('/mcp', 'audit').body).toMatchObject({
    error: { code: -32600, data: { reason: 'audit_unavailable' } },
  })
  expect(answered('/mcpx', 'caller').body).toMatchObject({ error: { code: 'rate_limited' } })
})
