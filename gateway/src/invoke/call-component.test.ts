import { describe, expect, it } from 'vitest'
import { call, createWorld, foreign, several, text, tool } from '../testing/components.ts'

const LIST = { jsonrpc: '2.0', method: 'tools/list', id: 1 }

describe('a tool that cannot be reached', () => {
  const listed = async (component: Parameters<typeof foreign>[1], timeout = '50') => {
    const world = createWorld({
      components: { one: foreign(tool('a'), component) },
      variables: { call_timeout_ms: timeout },
    })
    await world.rpc(LIST)
    return world
  }

  it('is given up at the deadline', async () => {
    const world = await listed(() => text(''))
    world.components['one'] = () => new Promise(() => {})
    expect(await world.rpc(call('a', {}))).toEqual({
      jsonrpc: '2.0',
      error: {
        code: -32004,
        message: 'Gateway error',
        data: { tool: 'a', reason: 'The tool gave no answer within 50 ms.' },
      },
      id: 1,
    })
  })

  it('is given up when its answer only drips', async () => {
    const drip = new ReadableStream({
      async pull(controller) {
        await new Promise((resolve) => setTimeout(resolve, 10))
        controller.enqueue(new Uint8Array([32]))
      },
    })
    const world = await listed(() => new Response(drip))
    expect(await world.rpc(call('a', {}))).toMatchObject({ error: { code: -32004 } })
  })

  it('is told without the host’s own words', async () => {
    const world = await listed(() => text(''))
    world.components['one'] = undefined
    const answer = await world.rpc(call('a', {}))
    expect(answer).toMatchObject({ error: { code: -32004, data: { tool: 'a' } } })
    expect(JSON.stringify(answer)).not.toContain('NetworkError')
  })

  it('is told, although it has answered that it has not the first address', async () => {
    const one = several([tool('a')])
    const world = createWorld({ components: { one } })
    await world.rpc(LIST)
    world.components['one'] = (request) => {
      if (request.url.endsWith('/a')) return new Response('', { status: 404 })
      throw new TypeError('NetworkError when attempting to fetch resource.')
    }
    expect(await world.rpc(call('a', {}))).toMatchObject({
      error: { data: { reason: 'The component "one" cannot be reached.' } },
    })
    expect(world.log.slice(-2)).toEqual([
      'POST http://one.spin.internal/a',
      'POST http://one.spin.internal/',
    ])
  })

  it.each([
    ['crashes before it answers', 500],
    ['crashes in the middle of its answer', 200],
  ])('is a failed tool when it %s', async (_when, status) => {
    const broken = () =>
      new ReadableStream({
        pull: (controller) => controller.error(new Error('IO error: secret')),
      })
    const world = await listed(() => new Response(broken(), { status }))
    const answer = await world.rpc(call('a', {}))
    expect(answer).toMatchObject({ error: { code: -32002, data: { tool: 'a' } } })
    expect(JSON.stringify(answer)).not.toContain('secret')
  })

  it('is a failed tool when its answer is too long', async () => {
    const world = await listed(() => new Response(new Uint8Array(9 * 2 ** 20)), '5000')
    expect(await world.rpc(call('a', {}))).toMatchObject({ error: { code: -32002 } })
  })
})

describe('an answer in lines', () => {
  const answering = (body: string) => {
    const headers = { 'content-type': 'application/x-ndjson' }
    const component = foreign(tool('a'), () => new Response(body, { headers }))
    return createWorld({ components: { one: component } }).rpc(call('a', {}))
  }
  const status = '{"type":"status","message":"half way","timestamp":"2026-01-01T00:00:00Z"}\n'

  it('ends with the result', async () => {
    const result = JSON.stringify({ type: 'result', result: text('done') })
    expect(await answering(`${status}${result}\n`)).toMatchObject({ result: text('done') })
  })

  it('ends with the error', async () => {
    expect(await answering(`${status}{"type":"error","message":"no luck"}`)).toMatchObject({
      error: { code: -32002, data: { tool: 'a', reason: 'no luck' } },
    })
  })

  it('is a failure when it just stops', async () => {
    expect(await answering(status)).toMatchObject({ error: { code: -32002 } })
  })
})
