import { expect, test, vi } from 'vitest'
import type { RequestEntry } from 'ftl-host'
import { logLines } from './log-lines.ts'
import { escaped } from '../terminal/terminal.ts'

const NOW = new Date(2026, 10, 21, 9, 5, 7, 42)

const ENTRY: RequestEntry = {
  method: 'POST',
  path: '/mcp',
  route: '/...',
  components: ['mcp-gateway', 'echo'],
  status: 200,
  milliseconds: 2.345,
  bytes: 74,
  outcome: 'answered',
  reason: undefined,
  requestId: undefined,
}

function plain(entry: Partial<RequestEntry> = {}): string {
  vi.stubEnv('NO_COLOR', '1')
  try {
    return logLines('plain', () => NOW).request({ ...ENTRY, ...entry })
  } finally {
    vi.unstubAllEnvs()
  }
}

test('a request is one line', () => {
  expect(plain()).toBe('09:05:07.042 POST /mcp 200 2.3 ms 74 B mcp-gateway → echo')
})

test.each<[Partial<RequestEntry>, string]>([
  [{ milliseconds: 1234.5 }, ' 1235 ms '],
  [{ bytes: 1_500 }, ' 1.5 kB '],
  [{ bytes: 2_340_000 }, ' 2.3 MB '],
  [{ components: ['a', 'b', 'b', 'b', 'a'] }, ' a → b ×3 → a'],
  [{ requestId: 'r-1' }, ' id=r-1'],
  [{ status: 0, outcome: 'left' }, ' --- 2.3 ms 74 B mcp-gateway → echo the client left'],
  [{ outcome: 'cut', reason: 'took longer than 5 s' }, ' cut off (took longer than 5 s)'],
])('%j', (entry, text) => {
  expect(plain(entry)).toContain(text)
})

test('a call of a tool names it, and says what its component answered when that was an error', () => {
  const call = (path: string, status: number) => ({
    component: 'echo',
    method: 'POST',
    path,
    status,
  })
  const list = { component: 'echo', method: 'GET', path: '/', status: 200 }
  expect(plain({ calls: [list, call('/say_it', 200)] })).toContain('/mcp say_it 200 ')
  expect(plain({ calls: [call('/say_it', 500)] })).toContain(' the tool answered 500 ')
  // The only tool of a component may be called at its root.
  expect(plain({ calls: [call('/', 200)] })).toContain('/mcp echo 200 ')
  for (const path of ['/complete', '/prompts/say_it', '/jobs/1']) {
    expect(plain({ calls: [call(path, 200)] })).toBe(plain())
  }
  const json = JSON.parse(
    logLines('json').request({ ...ENTRY, calls: [call('/a%2Fb', 200)] }),
  ) as object
  expect(json).toMatchObject({ tool: 'a/b', components: ['mcp-gateway', 'echo'] })
  expect(json).not.toHaveProperty('calls')
})

test('a client cannot write commands of a terminal, nor a line of its own', () => {
  const line = plain({ path: '/\x1b[2J\n\x9b', requestId: 'a\r\nb' })
  expect(line).toContain('/\\x1b[2J\\x0a\\x9b')
  expect(line).toContain('id=a\\x0d\\x0ab')
})

test('a terminal sees in green what went well, in yellow what was asked wrongly, in red what failed', () => {
  vi.stubEnv('FORCE_COLOR', '1')
  vi.stubEnv('NO_COLOR', undefined)
  try {
    const { request } = logLines('plain', () => NOW)
    expect(escaped(request(ENTRY))).toContain('\x1b[32m200\x1b[39m')
    expect(escaped(request({ ...ENTRY, status: 404 }))).toContain('\x1b[33m404\x1b[39m')
    expect(escaped(request({ ...ENTRY, status: 504 }))).toContain('\x1b[31m504\x1b[39m')
  } finally {
    vi.unstubAllEnvs()
  }
})

test('JSON has one object a line, whatever is reported', () => {
  const { request, output, problem } = logLines('json', () => NOW)
  const time = NOW.toISOString()
  expect(JSON.parse(request({ ...ENTRY, requestId: 'a\nb' }))).toEqual({
    time,
    type: 'request',
    method: 'POST',
    path: '/mcp',
    route: '/...',
    components: ['mcp-gateway', 'echo'],
    status: 200,
    milliseconds: 2.3,
    bytes: 74,
    outcome: 'answered',
    requestId: 'a\nb',
  })
  expect(escaped(request({ ...ENTRY, requestId: 'a\nb' }))).not.toContain('\n')
  const line = { component: 'echo', stream: 'stderr', line: 'said' } as const
  expect(JSON.parse(output(line))).toEqual({ time, type: 'output', ...line })
  const failure = { component: 'host', message: 'lost' }
  expect(JSON.parse(problem(failure))).toEqual({ time, type: 'problem', ...failure })
})
