import { expect, test } from 'vitest'
import { ActivityQueryError, parseActivityQuery } from './filter.ts'
import type { ActivityRequest } from './activity-types.ts'

const REQUEST: ActivityRequest = {
  id: 'r-1',
  time: '2026-11-24T00:00:00.000Z',
  method: 'POST',
  path: '/mcp',
  rpc: 'tools/call',
  target: 'echo',
  components: ['mcp-gateway', 'echo'],
  outcome: 'tool_error',
  status: 200,
  ms: 12,
  bytes: 0,
  principal: 'key:ci',
  retries: 0,
  calls: [],
  watched: true,
  counts: { spans: 0, lines: 0, kv: 0, network: 0, dropped: 0 },
}

const parse = (query: string) => parseActivityQuery(new URLSearchParams(query))

test.each([
  ['', true],
  ['tool=Echo', true],
  ['tool=ech', false],
  ['tool=', true],
  ['component=echo', true],
  ['component=code', false],
  ['principal=key:ci', true],
  ['principal=key', false],
  ['status=error', true],
  ['status=tool_error', true],
  ['status=ok', false],
  ['status=2xx', true],
  ['status=200', true],
  ['status=5xx', false],
  ['slow=12', true],
  ['slow=13', false],
  ['request=r-1', true],
  ['request=r-2', false],
  ['tool=echo&status=ok', false],
])('?%s selects the request: %s', (query, expected) => {
  expect(parse(query).matches(REQUEST)).toBe(expected)
})

test('details come for one request, and where they are asked for', () => {
  expect(parse('').details).toBe(false)
  expect(parse('request=r-1').details).toBe(true)
  expect(parse('include=details').details).toBe(true)
})

test.each([
  ['limit=1001', /"limit" must be a whole number from 0 to 1000/],
  ['limit=-1', /"limit"/],
  ['limit=1e3', /"limit"/],
  ['slow=fast', /"slow"/],
  ['status=%3Cscript%3E', /"status" must be/],
  ['include=arguments', /"include" must be details/],
  ['colour=red', /"colour" must be one of request, tool/],
  ['__proto__=x', /must be one of/],
  [`tool=${'x'.repeat(257)}`, /at most 256/],
])('?%.20s is refused with the field', (query, message) => {
  expect(() => parse(query)).toThrow(ActivityQueryError)
  expect(() => parse(query)).toThrow(message)
})
