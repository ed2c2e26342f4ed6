// Examples of https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
import { describe, expect, it } from 'vitest'
import { headerParams, headerValue, paramHeaders } from './standard-headers.ts'

describe('a value', () => {
  it.each([
    ['us-west1', 'us-west1'],
    ['Hello, 世界', `=?base64?${Buffer.from('Hello, 世界').toString('base64')}?=`],
    [' padded ', `=?base64?${Buffer.from(' padded ').toString('base64')}?=`],
    ['line1\nline2', `=?base64?${Buffer.from('line1\nline2').toString('base64')}?=`],
    ['=?base64?literal?=', `=?base64?${Buffer.from('=?base64?literal?=').toString('base64')}?=`],
  ])('%j', (text, header) => {
    expect(headerValue(text)).toBe(header)
    expect(() => new Headers({ a: headerValue(text) })).not.toThrow()
  })
})

it('parameters are repeated where the schema says so, however deep', () => {
  const schema = {
    type: 'object',
    properties: {
      region: { type: 'string', 'x-mcp-header': 'Region' },
      at: { type: 'object', properties: { level: { type: 'integer', 'x-mcp-header': 'Level' } } },
      odd: { type: 'string', 'x-mcp-header': 'no header name' },
      plain: { type: 'string' },
    },
  }
  const params = headerParams(schema)
  expect(paramHeaders(params, { region: 'eu', at: { level: 3 }, odd: 'x', plain: 'y' })).toEqual({
    'Mcp-Param-Region': 'eu',
    'Mcp-Param-Level': '3',
  })
  expect(paramHeaders(params, { region: null, at: 'nowhere' })).toEqual({})
})
