import { memoryPlatform } from 'ftl-platform/memory'
import { describe, expect, it, vi } from 'vitest'
import { createTool, createTools, InvalidArguments, ToolError, ToolResponse } from '../index.ts'
import type { ToolGenerator } from '../index.ts'
import type { Tool } from '../tool/create-tool.ts'
import { toComponent } from './component.ts'

const LINES = { accept: 'application/json, application/x-ndjson' }

function make(handler: () => ToolGenerator): Tool {
  return createTool({ metadata: { name: 'slow' }, handler })
}

function call(tool: Tool, headers: Record<string, string> = LINES): Promise<Response> {
  const init = { method: 'POST', body: '{}', headers }
  return toComponent({ tool }, 'slow').fetch(
    new Request('http://slow.spin.internal/', init),
    memoryPlatform(),
  )
}

async function linesOf(response: Response): Promise<unknown[]> {
  expect(response.headers.get('content-type')).toBe('application/x-ndjson')
  const text = await response.text()
  expect(text.endsWith('\n')).toBe(true)
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)
}

const mixing = make(async function* () {
  yield { message: 'Mixing', progress: 1, total: 2 }
  yield ToolResponse.log('info', { grams: 5 }, 'scale')
  yield { message: 'Baking', progress: 2, total: 2 }
  return ToolResponse.text('done')
})

const MIXING = { type: 'status', message: 'Mixing', progress: 1, total: 2 }
const BAKING = { type: 'status', message: 'Baking', progress: 2, total: 2 }
const DONE = { type: 'result', result: { content: [{ type: 'text', text: 'done' }] } }

describe('a generator', () => {
  it('is answered line by line to a caller that takes lines', async () => {
    const headers = { ...LINES, 'ftl-log-level': 'info' }
    expect(await linesOf(await call(mixing, headers))).toEqual([
      MIXING,
      { type: 'log', level: 'info', data: { grams: 5 }, logger: 'scale' },
      BAKING,
      DONE,
    ])
  })

  it.each<Record<string, string>>([
    {},
    { 'ftl-log-level': 'warning' },
    { 'ftl-log-level': 'loud' },
  ])('does not send log lines that the caller did not request: %j', async (headers) => {
    const response = await call(mixing, { ...LINES, ...headers })
    expect(await linesOf(response)).toEqual([MIXING, BAKING, DONE])
  })

  it.each<Record<string, string>>([{}, { accept: 'application/json' }, { accept: '*/*' }])(
    'is run to its end for any other caller: %j',
    async (headers) => {
      const response = await call(mixing, headers)
      expect(response.headers.get('content-type')).toBe('application/json')
      expect(await response.json()).toEqual(DONE.result)
    },
  )

  it('may come from anywhere', async () => {
    async function* steps(): ToolGenerator {
      yield { message: 'Mixing', progress: 1, total: 2 }
      return 'done'
    }
    const tool = createTool({
      metadata: { name: 'slow' },
      handler: async () => ToolResponse.stream(steps()),
    })
    expect(await linesOf(await call(tool))).toEqual([MIXING, DONE])
    expect(await (await call(tool, {})).json()).toEqual(DONE.result)
  })

  it('is sent as it goes, and no further than it is read', async () => {
    let step = 0
    const tool = make(async function* () {
      for (;;) yield { progress: ++step }
    })
    const reader = (await call(tool)).body?.getReader()
    await reader?.read()
    await new Promise((resolve) => setTimeout(resolve, 20))
    // One that was read, and one that lies ready.
    expect(step).toBeLessThanOrEqual(3)
    await reader?.cancel()
  })

  it('is stopped when its reader goes away, and told so', async () => {
    let stopped = false
    let aborted = false
    const tool = createTool({
      metadata: { name: 'slow' },
      handler: async function* (_, { signal }) {
        signal.addEventListener('abort', () => (aborted = true))
        try {
          for (let progress = 1; ; progress++) yield { progress }
        } finally {
          stopped = true
        }
      },
    })
    const reader = (await call(tool)).body?.getReader()
    await reader?.read()
    await reader?.cancel()
    await expect.poll(() => [stopped, aborted]).toEqual([true, true])
  })

  it('still has its deadline while it is read', async () => {
    const tool = createTool({
      metadata: { name: 'slow' },
      handler: async function* (_, { signal }) {
        yield { message: 'waiting' }
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        return (signal.reason as Error).name
      },
    })
    const lines = await linesOf(await call(tool, { ...LINES, 'ftl-deadline': '50' }))
    expect(lines.at(-1)).toEqual({
      type: 'result',
      result: { content: [{ type: 'text', text: 'TimeoutError' }] },
    })
  })
})

describe('a generator that fails in the middle', () => {
  const failing = (error: Error) =>
    make(async function* () {
      yield { message: 'Mixing', progress: 1, total: 2 }
      throw error
    })

  it.each<[Error, string, object?]>([
    [new ToolError('the oven is cold'), 'the oven is cold'],
    [new ToolError('cold', { kind: 'oven' }), 'cold', { kind: 'oven' }],
    [new InvalidArguments('no eggs'), 'Invalid arguments:\nno eggs'],
  ])('ends with the result that a caller without lines gets: %s', async (error, text, _meta) => {
    const lines = await linesOf(await call(failing(error)))
    const result = { ...ToolResponse.error(text), ...(_meta && { _meta }) }
    expect(lines).toEqual([MIXING, { type: 'result', result }])
    expect(await (await call(failing(error), {})).json()).toEqual(result)
  })

  it('says only that it failed when the words are not meant for others', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const lines = await linesOf(await call(failing(new Error('password=1234'))))
    expect(lines).toEqual([MIXING, { type: 'error', message: 'The tool failed: internal error' }])
    expect(log.mock.calls.join()).toContain('1234')
    log.mockRestore()
  })

  it('answers a caller that takes no lines as any tool does', async () => {
    const response = await call(failing(new ToolError('the oven is cold')), {})
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual(ToolResponse.error('the oven is cold'))
  })
})

it('offers log lines where the author says so', async () => {
  const tools = createTools([mixing], { logging: true })
  const offer = await toComponent({ tools }, 'slow').fetch(
    new Request('http://slow.spin.internal/'),
    memoryPlatform(),
  )
  expect(await offer.json()).toMatchObject({ tools: [{ name: 'slow' }], logging: true })
})
