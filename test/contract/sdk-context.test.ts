// What `ftl-sdk` offers a handler, on real components: context, prompts and resources.
import { dirname, join } from 'node:path'
import { type Host, type LogEntry, startHost } from 'ftl-host'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MANIFESTS } from '../support/manifests.ts'
import { type Answer, ask, LOG_LEVEL_KEY, textOf } from './mcp/client.ts'

let host: Host
const output: LogEntry[] = []
beforeAll(async () => {
  host = await startHost({
    manifest: MANIFESTS.sdk,
    listen: '127.0.0.1:0',
    stateDir: '',
    cacheDir: join(dirname(MANIFESTS.application), '.ftl', 'cache'),
    env: {},
    onLog: (entry) => void output.push(entry),
  })
})
afterAll(() => host.close())

function call(name: string, args: object = {}, meta: Record<string, unknown> = {}) {
  return ask(host.url, 'tools/call', { name, arguments: args }, { meta })
}

/** The notifications sent before the answer. */
function toldIn({ messages }: Answer): unknown[] {
  return messages.slice(0, -1).map((message) => {
    const { method, params } = message as { method?: string; params?: Record<string, unknown> }
    const { _meta, progressToken: _token, ...rest } = params ?? {}
    return { [String(method).replace('notifications/', '')]: rest }
  })
}

describe('progress and log of a plain handler', () => {
  it('reach a caller that listens, in their order, and growing', async () => {
    const answer = await call('cook', {}, { progressToken: 'p', [LOG_LEVEL_KEY]: 'info' })
    const told = toldIn(answer)
    expect(told.slice(0, 4)).toEqual([
      { progress: { message: 'Step 1', progress: 1, total: 3 } },
      { message: { level: 'info', data: { heat: 180 } } },
      { progress: { message: 'Step 2', progress: 2, total: 3 } },
      { progress: { message: 'Step 3', progress: 3, total: 3 } },
    ])
    expect(told[4]).toMatchObject({ progress: { message: 'Tasting' } })
    const numbers = told.flatMap((one) => {
      const { progress } = one as { progress?: { progress: number } }
      return progress ? [progress.progress] : []
    })
    expect(numbers).toEqual([...numbers].sort((one, other) => one - other))
    expect(new Set(numbers).size).toBe(numbers.length)
    expect(answer.result).toMatchObject({
      structuredContent: { dish: 'soup' },
      content: [{ type: 'text', text: '{"dish":"soup"}' }],
    })
  })

  it('begin the answer before the handler has ended', async () => {
    const response = await fetch(`${host.url}/mcp/x/kitchen`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream, application/json',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'cook', arguments: {}, _meta: { progressToken: 'p' } },
      }),
    })
    const reader = response.body?.getReader() as ReadableStreamDefaultReader<Uint8Array>
    let text = ''
    let pieces = 0
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      pieces++
      text += new TextDecoder().decode(value)
      if (pieces === 1) expect(text).not.toContain('"result"')
    }
    expect(text).toContain('"result"')
    expect(pieces).toBeGreaterThan(1)
  })

  it('change nothing for a client that does not listen', async () => {
    const answer = await call('cook')
    expect(answer.messages).toHaveLength(1)
    expect(answer.result).toMatchObject({ structuredContent: { dish: 'soup' } })
  })

  it('leave the answer of a handler that tells nothing as it is', async () => {
    const answer = await call('cook', { silent: true }, { progressToken: 'p' })
    expect(toldIn(answer)).toEqual([])
    expect(textOf(answer)).toBe('said nothing')
  })

  it('are followed by the failure of the handler, without its words', async () => {
    const answer = await call('burn', {}, { progressToken: 'p' })
    expect(toldIn(answer)).toMatchObject([{ progress: { message: 'Heating' } }])
    expect(answer.result['isError']).toBe(true)
    expect(answer.text).not.toContain('secret')
  })
})

it('kv and variables of the component are read and written', async () => {
  expect((await call('count')).result['structuredContent']).toEqual({
    times: 1,
    unit: 'grams',
    text: '1',
  })
  expect((await call('count')).result['structuredContent']).toMatchObject({ times: 2, text: '2' })
})

describe('callTool', () => {
  it('hands on the trace and what is left of the deadline', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    const { result } = await ask(
      host.url,
      'tools/call',
      { name: 'ask', arguments: { what: 'flour' } },
      { headers: { traceparent } },
    )
    const { deadline, trace, ...rest } = result['structuredContent'] as Record<string, unknown>
    expect(rest).toEqual({ grams: 5, asker: 'nobody' })
    // The gateway waits 30 s by default; part of that has passed.
    expect(deadline).toBeGreaterThan(20_000)
    expect(deadline).toBeLessThanOrEqual(30_000)
    expect(String(trace)).toContain('0af7651916cd43dd8448eb211c80319c')
  })

  it('fails with the words of the tool', async () => {
    const answer = await call('ask', { what: 'snow' })
    expect(answer.result).toMatchObject({
      isError: true,
      content: [{ text: 'snow does not keep' }],
    })
  })
})

describe('what the manifest does not allow is named with the line it lacks', () => {
  it.each([
    ['calls', '[component.lonely]\n  allowed_outbound_hosts = ["http://*.spin.internal"]'],
    ['fetches', '[component.lonely]\n  allowed_outbound_hosts = ["http://127.0.0.1:9"]'],
    ['stores', '[component.lonely]\n  key_value_stores = ["default"]'],
    ['reads', '[component.lonely.variables]\n  api_key = "{{ api_key }}"'],
  ])('%s', async (tool, line) => {
    expect(textOf(await call(tool))).toContain(line)
  })
})

describe('prompts', () => {
  it('are listed with their arguments, and got', async () => {
    const { result } = await ask(host.url, 'prompts/list')
    expect(result['prompts']).toEqual([
      {
        name: 'recipe',
        description: 'Asks for a recipe',
        arguments: [{ name: 'dish', required: true }, { name: 'people' }],
      },
    ])
    const got = await ask(host.url, 'prompts/get', { name: 'recipe', arguments: { dish: 'soup' } })
    expect(got.result['messages']).toEqual([
      { role: 'user', content: { type: 'text', text: 'How do I make soup for two?' } },
    ])
  })

  it.each([
    [{ name: 'dish', value: 'S' }, undefined, ['soup', 'salad', 'stew']],
    [{ name: 'dish', value: 'st' }, undefined, ['stew']],
    [{ name: 'people', value: 'four' }, { dish: 'stew' }, ['four for stew']],
    [{ name: 'other', value: '' }, undefined, []],
  ])('complete %j', async (argument, known, values) => {
    const { result } = await ask(host.url, 'completion/complete', {
      ref: { type: 'ref/prompt', name: 'recipe' },
      argument,
      ...(known && { context: { arguments: known } }),
    })
    expect(result['completion']).toMatchObject({ values })
  })
})

describe('resources', () => {
  it('are listed, fixed ones and templates', async () => {
    const fixed = (await ask(host.url, 'resources/list')).result['resources'] as { uri: string }[]
    expect(fixed.map(({ uri }) => uri)).toEqual(['menu://today', 'menu://photo'])
    const { result } = await ask(host.url, 'resources/templates/list')
    expect(result['resourceTemplates']).toEqual([
      { uriTemplate: 'dish://{name}', name: 'A dish', mimeType: 'application/json' },
    ])
  })

  it.each([
    ['menu://today', { mimeType: 'text/plain', text: 'soup' }],
    ['menu://photo', { mimeType: 'image/png', blob: 'AQID' }],
    ['dish://pea%20soup', { mimeType: 'application/json', text: '{"name":"pea soup"}' }],
  ])('%s is read', async (uri, content) => {
    const { result } = await ask(host.url, 'resources/read', { uri })
    expect(result['contents']).toEqual([{ uri, ...content }])
  })

  it.each(['dish://nothing', 'menu://tomorrow'])('%s is not there', async (uri) => {
    const { error } = await ask(host.url, 'resources/read', { uri })
    expect(error?.code).toBe(-32602)
  })

  it('complete the variables of a template', async () => {
    const { result } = await ask(host.url, 'completion/complete', {
      ref: { type: 'ref/resource', uri: 'dish://{name}' },
      argument: { name: 'name', value: 'sa' },
    })
    expect(result['completion']).toMatchObject({ values: ['salad'] })
  })
})

it('log lines are in the output of the component', async () => {
  await call('cook')
  const line = 'info: {"heat":180}'
  await expect.poll(() => output).toContainEqual({ component: 'kitchen', stream: 'stdout', line })
})
