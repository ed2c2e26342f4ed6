import { createHash } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { Pipe } from '../http/pipe.ts'
import { CallTree } from '../instance/call-tree.ts'
import type { OutboundRequest } from '../instance/services.ts'
import { ToldCalls } from './told-calls.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const digest = (text: string) => createHash('sha256').update(text).digest('hex')
const CALL = '5f0c2a9e-0000-4000-8000-000000000001'
const TOLD: [string, string] = ['ftl-audit-call', `${CALL} {"request":"r1","tool":"echo"}`]

interface Sent extends OutboundRequest {
  abort: () => void
}

function request(headers: OutboundRequest['headers'] = [TOLD], body: string[] = ['{"a":1}']): Sent {
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
  const told = new ToldCalls((line) => lines.push(JSON.parse(line) as Record<string, unknown>))
  const tree = new CallTree({ id: 1, components: ['gateway', 'echo'] })
  const answer = (...values: string[]) =>
    told.answered(
      {
        status: 200,
        headers: [['x', 'y'], ...values.map((value): [string, string] => ['ftl-audit-end', value])],
        body: Pipe.empty(),
      },
      tree,
    ).headers
  return { lines, told, tree, answer }
}

const done = (sent: Sent): Sent => {
  sent.body.end()
  return sent
}

describe('the beginning of a call', () => {
  it('has what the gateway tells and the digest of the body, of which the component misses nothing', async () => {
    const { lines, told, tree } = setUp()
    const sent = done(request([['accept', '*/*'], TOLD], ['{"a"', ':1}']))
    const passed = await told.begins(sent, tree)
    expect(lines).toEqual([
      {
        ...{ audit: 1, event: 'begin', time: expect.any(String) as string, call: CALL },
        ...{ request: 'r1', tool: 'echo', arguments: { sha256: digest('{"a":1}') } },
      },
    ])
    expect(passed.headers).toEqual([['accept', '*/*']])
    expect(passed.body.queued).toBe(7)
  })

  it('is written when the whole body is there', async () => {
    const { lines, told, tree } = setUp()
    const sent = request([TOLD], ['{"a"'])
    const passed = told.begins(sent, tree)
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
    const { lines, told, tree } = setUp()
    const sent = request()
    const passed = told.begins(sent, tree)
    happens(sent)
    await expect(passed).rejects.toMatchObject({ code: 'connection-terminated' })
    expect(lines).toEqual([])
  })

  it('is written once, though the tool is asked for under two paths', async () => {
    const { lines, told, tree } = setUp()
    await told.begins(done(request()), tree)
    await told.begins(done(request()), tree)
    expect(lines).toHaveLength(1)
  })

  it('is none of a request that tells nothing', () => {
    const { told, tree } = setUp()
    const sent = request([])
    expect(told.begins(sent, tree)).toBe(sent)
  })

  it.each(['', 'no id', `${CALL} {}`, `${CALL} {"a":1`, `a"b {"a":1}`])(
    'is none of %j, which the component does not receive either',
    async (value) => {
      const { lines, told, tree } = setUp()
      const passed = await told.begins(done(request([['ftl-audit-call', value]])), tree)
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
    const { lines, told, tree } = setUp()
    await told.begins(done(request()), tree)
    expect(lines).toMatchObject([{ time }])
  }
  vi.useRealTimers()
})

describe('the end of a call', () => {
  it('repeats what the beginning says, and no client receives the header', async () => {
    const { lines, told, tree, answer } = setUp()
    await told.begins(done(request()), tree)
    expect(answer(`${CALL} 12`)).toEqual([['x', 'y']])
    expect(lines[1]).toEqual({
      ...lines[0],
      ...{ event: 'call', time: expect.any(String) as string, outcome: 'ok', ms: 12 },
    })
    expect(answer(`${CALL} 13`)).toEqual([['x', 'y']])
    expect(lines).toHaveLength(2)
  })

  it.each(['', ',,', `${CALL}`, `${CALL} x`, `other 1`, `${CALL} 1"2`])(
    'is not in %j',
    async (value) => {
      const { lines, told, tree, answer } = setUp()
      await told.begins(done(request()), tree)
      answer(value)
      expect(lines).toHaveLength(1)
    },
  )

  it('is not that of a call of another request', async () => {
    const { lines, told, answer } = setUp()
    await told.begins(done(request()), new CallTree({ id: 2, components: [] }))
    answer(`${CALL} 1`)
    expect(lines).toHaveLength(1)
  })

  it('is made whole where the gateway prints it', async () => {
    const { told, tree } = setUp()
    await told.begins(done(request()), tree)
    const printed = `{"audit":1,"event":"call","time":"now","call":"${CALL}","outcome":"failed","ms":3}`
    expect(JSON.parse(told.whole(printed, tree))).toMatchObject({
      ...{ request: 'r1', tool: 'echo', outcome: 'failed', ms: 3 },
      arguments: { sha256: digest('{"a":1}') },
    })
    // It is over.
    expect(told.whole(printed, tree)).toBe(printed)
    expect(told.whole('{"audit":1,"event":"job"}', tree)).toBe('{"audit":1,"event":"job"}')
  })
})
