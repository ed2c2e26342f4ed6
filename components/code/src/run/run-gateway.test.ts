import { describe, expect, it } from 'vitest'
import { RunStopped, runGateway } from './run-gateway.ts'

const sent: Request[] = []
const gateway = (status: number, body: unknown) =>
  runGateway(async (url, init) => {
    sent.push(new Request(url, init))
    return typeof body === 'string'
      ? new Response(body, { status })
      : Response.json(body, { status })
  }, 'sealed')

it('sends a call with the capability, and returns its result', async () => {
  const result = { content: [] }
  expect(await gateway(200, { result }).call(3, 'echo', 'echo', { a: 1 })).toEqual(result)
  const request = sent.at(-1)
  expect(request?.url).toBe('http://mcp-gateway.spin.internal/run/call')
  expect(request?.headers.get('ftl-run')).toBe('sealed')
  expect(await request?.json()).toEqual({
    ...{ seq: 3, component: 'echo', tool: 'echo', arguments: { a: 1 } },
  })
})

it('an error of the call has its code and message', async () => {
  const body = { error: { code: 'tool_not_found', message: 'There is no tool a.b.' } }
  await expect(gateway(404, body).call(1, 'a', 'b', {})).rejects.toMatchObject({
    ...{ name: 'ToolError', code: 'tool_not_found', message: 'There is no tool a.b.' },
  })
})

it.each(['input_required', 'run_invalid', 'run_ended'])('%s stops the run', async (code) => {
  const work = gateway(409, { error: { code, message: 'x' } }).call(1, 'a', 'b', {})
  await expect(work).rejects.toBeInstanceOf(RunStopped)
})

describe('an answer of another form', () => {
  it.each([
    ['text', 'oops'],
    ['a list', []],
    ['no result', {}],
    ['a result that is not an object', { result: 1 }],
  ])('%s', async (_, body) => {
    await expect(gateway(200, body).call(1, 'a', 'b', {})).rejects.toThrow(
      'the gateway gave an answer of another form (status 200)',
    )
  })

  it('names that are not texts are left out', async () => {
    const run = { id: 'x', startedAt: 1, maxCalls: 5 }
    const tools = [{ component: 'a', tool: 'b' }, { component: 1, tool: 'c' }, null, { tool: 'd' }]
    expect(await gateway(200, { run, tools }).begin()).toEqual({
      ...run,
      replayed: false,
      tools: [['a', ['b']]],
    })
  })
})
