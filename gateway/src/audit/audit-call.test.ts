import { describe, expect, it, vi } from 'vitest'
import type { ClientRequest } from '../calls/client-request.ts'
import { shippedScope } from '../testing/shipped-scope.ts'
import { auditLog } from '../testing/audit-log.ts'
import { authenticatedWorld, BOTH } from '../testing/authenticated.ts'
import { auditedWorld } from '../testing/audited-world.ts'
import { call, type Component, several, text, tool } from '../testing/components.ts'
import { API_KEY } from '../testing/issuer.ts'
import { messagesOf, modern } from '../testing/modern.ts'
import { auditCall } from './audit-call.ts'

const { printed, entries, begun } = auditLog()

const TRACE = '0af7651916cd43dd8448eb211c80319c'

const TRACEPARENT = `00-${TRACE}-b7ad6b7169203331-01`

describe('the line of a call', () => {
  it('says who called, by which client, request and trace, and how long it took', async () => {
    const one = authenticatedWorld({ ...BOTH, call_settings: 'audit=on' })
    const sent = modern(
      'tools/call',
      { name: 'a', arguments: {} },
      {
        meta: { traceparent: TRACEPARENT },
        headers: { authorization: `Bearer ${API_KEY}`, 'user-agent': 'node', 'x-request-id': 'r1' },
      },
    )
    expect((await one.send(sent)).status).toBe(200)
    const [line] = entries()
    expect(line).toMatchObject({
      request: 'r1',
      trace: TRACE,
      principal: 'key:ci',
      client: { name: 'test', version: '1', agent: 'node' },
    })
    expect(line?.['ms']).toBeGreaterThanOrEqual(0)
    expect(Date.parse(String(line?.['time']))).toBeGreaterThan(0)
  })

  it.each<[string, object, object]>([
    ['an error of the tool', call('bad', {}), { outcome: 'tool_error' }],
    ['an unknown tool', call('nope', {}), { outcome: 'refused', reason: 'There is no such tool.' }],
    [
      'invalid arguments',
      call('a', { message: 7 }),
      { outcome: 'refused', reason: expect.stringContaining('message') as string },
    ],
  ])('names %s', async (_, sent, expected) => {
    await auditedWorld().rpc(sent)
    expect(entries()).toEqual([expect.objectContaining(expected)])
  })

  it('does not quote an argument that is not valid', async () => {
    await auditedWorld().rpc(call('a', { message: { s3cret: 1 } }))
    expect(printed.join()).not.toContain('s3cret')
  })

  it('names a component that takes too long', async () => {
    const hangs: Component = (request) =>
      request.method === 'GET' ? Response.json([tool('slow')]) : new Promise<never>(() => undefined)
    const one = auditedWorld({ components: { two: hangs }, variables: { call_timeout_ms: '50' } })
    await one.rpc(call('slow', {}))
    expect(entries()).toEqual([expect.objectContaining({ tool: 'slow', outcome: 'timeout' })])
  })

  it('has arguments only if that is wanted, without secrets', async () => {
    const one = auditedWorld({ variables: { call_settings: 'audit=on; audit_arguments=true' } })
    await one.rpc(call('a', { message: 'hi', key: 's3cret' }))
    expect(entries()[0]?.['arguments']).toMatchObject({
      values: { message: 'hi', key: '[redacted]' },
    })
  })

  it('has no arguments of a tool that is not known', async () => {
    const one = auditedWorld({ variables: { call_settings: 'audit=on; audit_arguments=true' } })
    await one.rpc(call('nope', { password: 's3cret' }))
    expect(printed.join()).not.toContain('s3cret')
  })

  it('comes after one of its beginning, which says the same, if a component got the call', async () => {
    let before: unknown[] = []
    const looks: Component = (request) => {
      if (request.method === 'GET') return Response.json([tool('look')])
      before = [...begun(), ...entries()]
      return Response.json(text('x'))
    }
    const one = auditedWorld({ components: { two: looks } })
    await one.rpc(call('look', { message: 'hi' }))
    expect(before).toEqual([expect.objectContaining({ event: 'begin', tool: 'look' })])
    const [start, end] = [begun()[0], entries()[0]]
    expect(end).toMatchObject({ ...start, event: 'call', time: end?.['time'], outcome: 'ok' })
    await one.rpc(call('nope', {}))
    expect(begun()).toHaveLength(1)
    expect(entries()[1]).not.toHaveProperty('call')
  })

  it('is short enough for the host, whatever its arguments become as escapes', async () => {
    const one = auditedWorld({ variables: { call_settings: 'audit=on; audit_arguments=true' } })
    await one.rpc(call('a', { message: '\u200b'.repeat(11_000) }))
    expect(entries()[0]?.['arguments']).toMatchObject({ values: '[too long]' })
    for (const line of printed) expect(line.length).toBeLessThan(16_000)
  })

  it('says so if it cannot be made whole, and the call has its result', async () => {
    const tools = { known: () => Promise.reject(new Error('the store is away')) }
    const scope = shippedScope(auditedWorld().platform, 'r1')
    const sender = { scope, request: new Request('http://localhost/invoke') }
    const client = { gateway: { tools }, ...sender } as unknown as ClientRequest
    const sent = { name: 'a', args: {}, meta: {}, wantsProgress: false }
    const result = { kind: 'result', result: text('x') } as const
    expect(await auditCall(client, sent, () => Promise.resolve(result))).toBe(result)
    expect(entries()).toMatchObject([
      {
        event: 'call',
        request: 'r1',
        tool: 'a',
        outcome: 'ok',
        reason: 'The line is not complete.',
      },
    ])
  })

  it('cannot be split by the name of a tool', async () => {
    await auditedWorld().rpc(call('x\n{"audit":1,"principal":"root"}', {}))
    expect(printed).toHaveLength(1)
    expect(printed[0]).not.toContain('\n')
    expect(entries()[0]).not.toHaveProperty('principal')
  })
})

it('a call whose client leaves during its stream is cancelled', async () => {
  const line = (value: object) => `${JSON.stringify(value)}\n`
  const streams = several([tool('long')], () => {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(
          new TextEncoder().encode(line({ type: 'status', progress: 1, message: 'Begun' })),
        )
      },
    })
    return new Response(body, { headers: { 'content-type': 'application/x-ndjson' } })
  })
  const one = auditedWorld({ components: { two: streams } })
  const response = await one.send(
    modern('tools/call', { name: 'long', arguments: {} }, { meta: { progressToken: 1 } }),
  )
  const reader = response.body?.getReader()
  await reader?.read()
  await reader?.cancel()
  await vi.waitFor(() =>
    expect(entries()).toEqual([expect.objectContaining({ tool: 'long', outcome: 'cancelled' })]),
  )
})

it('a streamed call has its line when it ends', async () => {
  const streams = several([tool('long')], () => {
    const lines = [
      { type: 'status', progress: 1 },
      { type: 'result', result: text('done') },
    ]
    const body = lines.map((value) => `${JSON.stringify(value)}\n`).join('')
    return new Response(body, { headers: { 'content-type': 'application/x-ndjson' } })
  })
  const one = auditedWorld({ components: { two: streams } })
  const response = await one.send(
    modern('tools/call', { name: 'long', arguments: {} }, { meta: { progressToken: 1 } }),
  )
  expect(await messagesOf(response)).not.toHaveLength(0)
  expect(entries()).toEqual([expect.objectContaining({ tool: 'long', outcome: 'ok' })])
})
