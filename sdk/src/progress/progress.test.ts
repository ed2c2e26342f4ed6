// What a plain handler tells while it works.
import { memoryPlatform } from 'ftl-platform/memory'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createTool, type ToolContext, ToolError, ToolResponse } from '../index.ts'
import { toComponent } from '../serve/component.ts'
import { ProgressQueue } from './progress-queue.ts'

const LISTENING = { accept: 'application/x-ndjson', 'ftl-log-level': 'info' }
type Handler = (context: ToolContext) => unknown

function call(handler: Handler, headers: Record<string, string> = LISTENING): Promise<Response> {
  const tool = createTool({
    metadata: { name: 'slow' },
    handler: (_, context) => handler(context) as Promise<string>,
  })
  const request = new Request('http://slow.spin.internal/', { method: 'POST', body: '{}', headers })
  return toComponent({ tool }, 'slow').fetch(request, memoryPlatform())
}
const linesOf = async (response: Response) =>
  (await response.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object)
const pause = () => new Promise((resolve) => setTimeout(resolve, 5))
const DONE = { type: 'result', result: { content: [{ type: 'text', text: 'done' }] } }

beforeEach(() => void vi.spyOn(console, 'log').mockImplementation(() => {}))
afterEach(() => vi.restoreAllMocks())

describe('progress and log', () => {
  const telling: Handler = async ({ progress, log }) => {
    progress(1)
    log('info', { a: 1 })
    await pause()
    log.debug('not wanted')
    progress({ message: 'half', progress: 2, total: 4 })
    progress('words')
    return 'done'
  }

  it('are lines before the result', async () => {
    expect(await linesOf(await call(telling))).toEqual([
      { type: 'status', progress: 1 },
      { type: 'log', level: 'info', data: { a: 1 } },
      { type: 'status', message: 'half', progress: 2, total: 4 },
      { type: 'status', message: 'words' },
      DONE,
    ])
  })

  it('begin the response while the handler is at work', async () => {
    let go = (): void => undefined
    const gate = new Promise<void>((resolve) => (go = resolve))
    const response = await call(async ({ progress }) => {
      progress('at it')
      await gate
      return 'done'
    })
    const reader = response.body?.getReader() as ReadableStreamDefaultReader<Uint8Array>
    const first = await reader.read()
    expect(new TextDecoder().decode(first.value)).toContain('at it')
    go()
    const second = await reader.read()
    expect(new TextDecoder().decode(second.value)).toContain('done')
  })

  it('leave the plain answer to a caller that does not listen', async () => {
    const response = await call(telling, {})
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(await response.json()).toEqual(DONE.result)
  })

  it('leave the plain answer of a handler that tells nothing', async () => {
    const response = await call(() => 'done')
    expect(response.headers.get('content-type')).toBe('application/json')
  })

  it('put log lines of every level into the output', async () => {
    await call(telling, {})
    expect(vi.mocked(console.log).mock.calls).toEqual([['info: {"a":1}'], ['debug: not wanted']])
  })

  it('mix with what a generator yields', async () => {
    const response = await call(async function* ({ progress }: ToolContext) {
      progress(1)
      yield { message: 'yielded', progress: 2 }
      progress({ message: 'told', progress: 3 })
      await pause()
      return 'done'
    })
    expect(await linesOf(response)).toEqual([
      { type: 'status', progress: 1 },
      { type: 'status', message: 'yielded', progress: 2 },
      { type: 'status', message: 'told', progress: 3 },
      DONE,
    ])
  })
})

describe('a failure after the first word', () => {
  const failed = { type: 'error', message: 'The tool failed: internal error' }
  const refused = { ...ToolResponse.error('cold'), _meta: { kind: 'oven' } }
  it.each<[Error, object]>([
    [new ToolError('cold', { kind: 'oven' }), { type: 'result', result: refused }],
    [new Error('password'), failed],
  ])('is the last line: %s', async (error, last) => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const response = await call(async ({ progress }) => {
      progress(1)
      await pause()
      throw error
    })
    expect((await linesOf(response)).at(-1)).toEqual(last)
  })

  it.each<[string, () => unknown, object]>([
    ['returns', () => 'done', DONE],
    [
      'throws',
      () => {
        throw new ToolError('cold', { kind: 'oven' })
      },
      { type: 'result', result: refused },
    ],
  ])('comes after all lines of a handler that %s at once', async (_, end, last) => {
    const response = await call(({ progress, log }) => {
      progress(1)
      log.info('half')
      return end()
    })
    expect(await linesOf(response)).toEqual([
      { type: 'status', progress: 1 },
      { type: 'log', level: 'info', data: 'half' },
      last,
    ])
  })

  it('before it is answered as any other', async () => {
    const response = await call(async () => Promise.reject(new ToolError('cold')))
    expect(await response.json()).toEqual(ToolResponse.error('cold'))
  })
})

it('a caller that goes away ends the signal', async () => {
  let aborted = false
  const response = await call(async ({ progress, signal }) => {
    signal.addEventListener('abort', () => (aborted = true))
    progress(1)
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    return 'late'
  })
  const reader = response.body?.getReader()
  await reader?.read()
  await reader?.cancel()
  await expect.poll(() => aborted).toBe(true)
})

describe('progress', () => {
  it('only grows: a line that does not is sent without its number, or not at all', () => {
    const queue = new ProgressQueue()
    for (const update of [
      { progress: 2 },
      { progress: 2 },
      { progress: 1, message: 'back' },
      { progress: 3 },
    ]) {
      queue.add(update)
    }
    expect([queue.take(), queue.take(), queue.take(), queue.take()]).toEqual([
      { progress: 2 },
      { message: 'back' },
      { progress: 3 },
      undefined,
    ])
  })

  it('does not fill the memory when the client does not read', () => {
    const queue = new ProgressQueue()
    for (let progress = 0; progress < 10_000; progress++) queue.add({ progress })
    let lines = 0
    while (queue.take()) lines++
    expect(lines).toBeLessThanOrEqual(100)
  })
})
