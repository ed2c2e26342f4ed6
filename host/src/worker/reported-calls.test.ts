import { createHash } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { Pipe } from '../http/pipe.ts'
import { CallTree } from '../instance/call-tree.ts'
import type { OutboundRequest } from '../instance/services.ts'
import { ReportedCalls } from './reported-calls.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const digest = (text: string) => createHash('sha256').update(text).digest('hex')
const CALL = '7'
const REPORT: [string, string] = ['ftl-audit-call', `${CALL} {"request":"r1","tool":"echo"}`]
const UUID = expect.stringMatching(/^[0-9a-f-]{36}$/) as string

interface Sent extends OutboundRequest {
  abort: () => void
}

function request(
  headers: OutboundRequest['headers'] = [REPORT],
  body: string[] = ['{"a":1}'],
): Sent {
  const pipe = new Pipe()
  for (const piece of body) pipe.write(encode(piece))
  const controller = new AbortController()
  return {
    ...{ method: 'POST', scheme: 'http', authority: 'echo.spin.internal', path: '/echo', headers },
    ...{ connectTimeoutMs: 1, firstByteTimeoutMs: 1, betweenBytesTimeoutMs: 1 },
    body: pipe,
    signal: controller.signal,
    abort: () => controller.abort(),
  }
}

function setUp() {
  const lines: Record<string, unknown>[] = []
  const reported = new ReportedCalls((line) =>
    lines.push(JSON.parse(line) as Record<string, unknown>),
  )
  const tree = new CallTree({ id: 1, components: ['gateway', 'echo'] })
  const answer = (...values: string[]) =>
    reported.answered(
      {
        status: 200,
        headers: [['x', 'y'], ...values.map((value): [string, string] => ['ftl-audit-end', value])],
        body: Pipe.empty(),
      },
      tree,
    ).headers
  return { lines, reported, tree, answer }
}

const done = (sent: Sent): Sent => {
  sent.body.end()
  return sent
}

describe('the beginning of a call', () => {
  it('has what the gateway reports and the digest of the body, of which the component misses nothing', async () => {
    const { lines, reported, tree } = setUp()
    const sent = done(request([['accept', '*/*'], REPORT], ['{"a"', ':1}']))
    const passed = await reported.begins(sent, tree)
    expect(lines).toEqual([
      {
        ...{ audit: 1, event: 'begin', time: expect.any(String) as string, call: UUID },
        ...{ request: 'r1', tool: 'echo', arguments: { sha256: digest('{"a":1}') } },
      },
    ])
    expect(passed.headers).toEqual([['accept', '*/*']])
    expect(passed.body.queued).toBe(7)
  })

  it('is written when the whole body is there', async () => {
    const { lines, reported, tree } = setUp()
    const sent = request([REPORT], ['{"a"'])
    const passed = reported.begins(sent, tree)
    sent.body.write(encode(':1}'))
    await Promise.resolve()
    expect(lines).toEqual([])
    sent.body.end()
    await passed
    expect(lines).toMatchObject([{ arguments: { sha256: digest('{"a":1}') } }])
  })

  it.each<[string, (sent: Sent) => void]>([
    ['its guest ends', (sent) => sent.abort()],
    ['the body is given up', (sent) => sent.body.cancel()],
    ['the body never ends', (sent) => sent.body.write(new Uint8Array(200_000))],
  ])('fails before the component gets it when %s', async (_, happens) => {
    const { lines, reported, tree } = setUp()
    const sent = request()
    const passed = reported.begins(sent, tree)
    happens(sent)
    await expect(passed).rejects.toMatchObject({ code: 'connection-terminated' })
    expect(lines).toEqual([])
  })

  it('is written once, though the tool is asked for under two paths', async () => {
    const { lines, reported, tree } = setUp()
    await reported.begins(done(request()), tree)
    await reported.begins(done(request()), tree)
    expect(lines).toHaveLength(1)
  })

  it('is not written for a request without a report', () => {
    const { reported, tree } = setUp()
    const sent = request([])
    expect(reported.begins(sent, tree)).toBe(sent)
  })

  it.each(['', 'no number', `${CALL} {}`, `${CALL} {"a":1`, `a"b {"a":1}`])(
    'is not written for the report %j, which the component does not get either',
    async (value) => {
      const { lines, reported, tree } = setUp()
      const passed = await reported.begins(done(request([['ftl-audit-call', value]])), tree)
      expect(passed.headers).toEqual([])
      expect(lines).toEqual([])
    },
  )
})

it.each([
  ['2026-11-28T10:00:00.000Z', '2026-11-28T10:00:59.999Z'],
  ['2026-11-28T10:01:00.000Z', '2026-12-31T23:59:07.042Z'],
  ['2026-11-28T09:59:59.100Z', '1970-01-01T00:00:00.001Z'],
])('lines have the time of the clock, whichever was asked before: %s, %s', async (...times) => {
  vi.useFakeTimers()
  for (const time of times) {
    vi.setSystemTime(time)
    const { lines, reported, tree } = setUp()
    await reported.begins(done(request()), tree)
    expect(lines).toMatchObject([{ time }])
  }
  vi.useRealTimers()
})

it('refuses a report that would not fit into the shared memory', () => {
  const { lines, reported, tree } = setUp()
  const long = `${CALL} {"tool":"${'x'.repeat(300_000)}"}`
  const sent = done(request([['ftl-audit-call', long]]))
  expect(() => reported.begins(sent, tree)).toThrow('HTTP-request-header-size')
  expect(lines).toEqual([])
})

it('writes the beginning of every call, also of more than it remembers', async () => {
  const { lines, reported, tree } = setUp()
  for (let n = 0; n < 1100; n++) {
    await reported.begins(done(request([['ftl-audit-call', `${n} {"tool":"echo"}`]])), tree)
  }
  expect(lines).toHaveLength(1100)
})

describe('the end of a call', () => {
  it('repeats what the beginning says, and no client receives the header', async () => {
    const { lines, reported, tree, answer } = setUp()
    await reported.begins(done(request()), tree)
    vi.useFakeTimers({ now: Date.now() + 12 })
    expect(answer(CALL)).toEqual([['x', 'y']])
    vi.useRealTimers()
    expect(lines[1]).toEqual({
      ...lines[0],
      ...{ event: 'call', time: expect.any(String) as string, outcome: 'ok' },
      ms: expect.any(Number) as number,
    })
    expect(lines[1]?.['ms']).toBeGreaterThanOrEqual(12)
    expect(answer(CALL)).toEqual([['x', 'y']])
    expect(lines).toHaveLength(2)
  })

  it('does not take less than no time where the clock was set back', async () => {
    const { lines, reported, tree, answer } = setUp()
    await reported.begins(done(request()), tree)
    vi.useFakeTimers({ now: 0 })
    answer(CALL)
    vi.useRealTimers()
    expect(lines[1]).toMatchObject({ ms: 0 })
  })

  it('finds each of several calls', async () => {
    const { lines, reported, tree, answer } = setUp()
    for (const n of [0, 1, 2]) {
      await reported.begins(done(request([['ftl-audit-call', `${n} {"tool":"t${n}"}`]])), tree)
    }
    answer('2,0')
    expect(lines.slice(3)).toMatchObject([
      { call: lines[2]?.['call'], tool: 't2' },
      { call: lines[0]?.['call'], tool: 't0' },
    ])
    expect(new Set(lines.map((line) => line['call'])).size).toBe(3)
  })

  it.each(['', ',,', `${CALL} `, `${CALL} x`, '8', `${CALL}"`])('is not in %j', async (value) => {
    const { lines, reported, tree, answer } = setUp()
    await reported.begins(done(request()), tree)
    answer(value)
    expect(lines).toHaveLength(1)
  })

  it('is not that of a call of another request', async () => {
    const { lines, reported, answer } = setUp()
    await reported.begins(done(request()), new CallTree({ id: 2, components: [] }))
    answer(CALL)
    expect(lines).toHaveLength(1)
  })

  it('is made whole where the gateway prints it', async () => {
    const { reported, tree } = setUp()
    await reported.begins(done(request()), tree)
    const printed = `{"audit":1,"event":"call","time":"now","call":"${CALL}","outcome":"failed","ms":3}`
    expect(JSON.parse(reported.whole(printed, tree))).toMatchObject({
      ...{ call: UUID, request: 'r1', tool: 'echo', outcome: 'failed', ms: 3 },
      arguments: { sha256: digest('{"a":1}') },
    })
    // It is over.
    expect(reported.whole(printed, tree)).toBe(printed)
    expect(reported.whole('{"audit":1,"event":"job"}', tree)).toBe('{"audit":1,"event":"job"}')
  })
})
