import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { componentTable } from './component-table.ts'
import { requestLine } from './request-line.ts'
import type { ShownRequest, ShownSpan } from './activity-types.ts'
import { waterfall } from './waterfall.ts'

beforeEach(() => void vi.stubEnv('NO_COLOR', '1'))
afterEach(() => void vi.unstubAllEnvs())

const REQUEST: ShownRequest = {
  ...{ id: 'r-1', time: '2026-11-26T09:05:07.042Z', method: 'POST', path: '/mcp', status: 200 },
  ...{ rpc: 'tools/call', target: 'echo', components: ['mcp-gateway', 'echo'], outcome: 'ok' },
  ...{ ms: 10, bytes: 74, retries: 0, watched: true },
}

const span = (id: string, changes: Partial<ShownSpan> = {}): ShownSpan => ({
  ...{ id, kind: 'component', name: id, start: 0, ms: 10 },
  ...changes,
})

/** Position and length of the bar of the row that has a text. */
function barOf(lines: readonly string[], text: string): [from: number, width: number] {
  const scale = lines.find((line) => / 0 +.* ms$/.test(line)) ?? ''
  const line = lines.find((each) => each.includes(text)) ?? ''
  return [line.indexOf('█') - scale.indexOf('0'), line.split('█').length - 1]
}

test('a request is one line, with what failed', () => {
  expect(requestLine(REQUEST)).toMatch(
    /^\d\d:05:07\.042 POST \/mcp tools\/call echo 200 10 ms 74 B mcp-gateway → echo id=r-1$/,
  )
  const failed = { ...REQUEST, outcome: 'tool_error', reason: 'no \u001b[31msuch', retries: 2 }
  expect(requestLine(failed)).toContain('tool error')
  expect(requestLine(failed)).toContain('started again 2 times')
  expect(requestLine(failed)).not.toContain('\u001b')
})

test('spans are below their parents, with bars on the scale of the request', () => {
  const lines = waterfall({
    ...REQUEST,
    spans: [
      span('echo', { parent: 'call', start: 5, ms: 5 }),
      span('mcp-gateway'),
      span('call', { kind: 'call', name: 'POST echo/', parent: 'mcp-gateway', start: 5, ms: 5 }),
      span('kv', { kind: 'kv', name: 'get default', parent: 'mcp-gateway', start: 1, ms: 1 }),
    ],
  })
  const names = lines.flatMap((line) => /^ *(runs|calls|store) \S+/.exec(line)?.[0] ?? [])
  expect(names).toEqual(['runs mcp-gateway', '  store get', '  calls POST', '    runs echo'])
  expect(barOf(lines, 'runs mcp-gateway')).toEqual([0, 30])
  expect(barOf(lines, 'runs echo')).toEqual([15, 15])
  expect(barOf(lines, 'store get')).toEqual([3, 3])
})

test('spans that are each other’s parents, or longer than the request, end and stay on the scale', () => {
  const lines = waterfall({
    ...REQUEST,
    spans: [
      span('a', { parent: 'b' }),
      span('b', { parent: 'a' }),
      span('self', { parent: 'self', start: 90, ms: 10 }),
    ],
  })
  const [from, width] = barOf(lines, 'runs self')
  expect(from + width).toBeLessThanOrEqual(30)
})

test('a request without a trace says how to get one', () => {
  expect(waterfall({ ...REQUEST, watched: false }).join('\n')).toContain('ftl activity -f')
})

test('components are a table; those of another host have no numbers', () => {
  const lines = componentTable([
    {
      ...{ id: 'echo', state: 'failing', calls: 12, errors: 1, p50: 1.2, p95: 8, instances: 2 },
      ...{ memory: 3 * 1024 ** 2, lastFailure: { time: 't', reason: 'broke' } },
    },
    { id: 'other', status: 'ok' },
  ])
  expect(lines[1]).toMatch(/^echo +failing +12 +1 +1.2 ms +8 ms +2 +3 MB$/)
  expect(lines[2]).toContain('broke')
  expect(lines[3]).toMatch(/^other +ok +- +- +- +- +- +-$/)
})
