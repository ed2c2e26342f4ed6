import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { createTool } from '../tool/create-tool.ts'
import { ToolError } from '../tool/errors.ts'
import { ToolResponse } from '../tool/answer-builders.ts'
import { NotJson, testTool, textOf, ToolFailed } from './index.ts'

const add = createTool({
  metadata: { name: 'add', inputSchema: z.object({ a: z.number(), b: z.number() }) },
  handler: ({ a, b }) => ToolResponse.structured({ sum: a + b }),
})

describe('testTool', () => {
  it('answers what a client would get', async () => {
    expect(await testTool(add).call({ a: 1, b: 2 })).toEqual({
      content: [{ type: 'text', text: '{"sum":3}' }],
      structuredContent: { sum: 3 },
    })
  })

  it('checks arguments as the component does', async () => {
    const result = await testTool(add).call({ a: 'one', b: 2 } as never)
    expect(result.isError).toBe(true)
    expect(textOf(result)).toMatch(/a: .*number/)
  })

  it('gives the handler a machine in memory: variables, files, a store, a clock, ids', async () => {
    const tool = createTool({
      metadata: { name: 'all' },
      handler: async (_, { platform, principal, requestId, deadline }) => {
        const store = await platform.openKeyValue('default')
        await store.set('last', JSON.stringify({ seen: platform.now() }))
        const file = await platform.files.read('/config/unit.txt')
        return ToolResponse.structured({
          variable: platform.variables.get('unit'),
          file: new TextDecoder().decode(file),
          first: new TextDecoder().decode(await store.get('first')),
          names: await platform.files.list('/config'),
          ids: [platform.randomUUID(), platform.randomUUID()],
          principal,
          requestId,
          deadline,
        })
      },
    })
    const t = testTool(tool, {
      variables: { unit: 'celsius' },
      files: { '/config/unit.txt': 'kelvin' },
      kv: { first: 'one' },
      now: '2027-03-04T05:06:07Z',
      principal: 'ada',
    })
    const { structuredContent } = await t.call({}, { deadlineMs: 500, requestId: 'r1' })
    expect(structuredContent).toEqual({
      variable: 'celsius',
      file: 'kelvin',
      first: 'one',
      names: ['unit.txt'],
      ids: ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'],
      principal: 'ada',
      requestId: 'r1',
      deadline: 500,
    })
    expect(t.kv.json('last')).toEqual({ seen: Date.UTC(2027, 2, 4, 5, 6, 7) })
  })

  it('is called by an authenticated caller, for all calls or for one', async () => {
    const tool = createTool({
      metadata: { name: 'whoami' },
      handler: async (_, { caller, principal }) =>
        ToolResponse.structured({ caller: caller ?? null, principal: principal ?? null }),
    })
    const ada = { id: 'https://a.example#\u00e4da', scopes: ['tools'], user: '\u00e4da' }
    const t = testTool(tool, { caller: ada })
    expect((await t.call()).structuredContent).toEqual({ caller: ada, principal: ada.id })
    const bob = { id: 'key:bob', scopes: [] }
    const once = await t.call({}, { caller: bob })
    expect(once.structuredContent).toEqual({ caller: bob, principal: 'key:bob' })
    const anonymous = await testTool(tool).call()
    expect(anonymous.structuredContent).toEqual({ caller: null, principal: null })
  })

  it('refuses a store that spin.toml would have to name, and says so', async () => {
    const tool = createTool({
      metadata: { name: 'stores' },
      handler: async (_, { platform }) => {
        await platform.openKeyValue('cache')
        return 'opened'
      },
    })
    await expect(testTool(tool).call()).rejects.toThrow(/key_value_stores = \["cache"\]/)
    expect(textOf(await testTool(tool, { stores: { cache: {} } }).call())).toBe('opened')
  })

  it('keeps what a generator tells on its way', async () => {
    const tool = createTool({
      metadata: { name: 'steps' },
      handler: async function* () {
        yield { message: 'one', progress: 1, total: 2 }
        yield ToolResponse.log('debug', { at: 'two' })
        return 'done'
      },
    })
    const t = testTool(tool)
    expect(textOf(await t.call())).toBe('done')
    expect(t.progress).toEqual([{ message: 'one', progress: 1, total: 2 }])
    expect(t.logs).toEqual([{ level: 'debug', data: { at: 'two' } }])
    await t.call({}, { logLevel: 'error' })
    expect(t.logs).toEqual([])
    await t.call({}, { listens: false })
    expect(t.progress).toEqual([])
  })

  it('fails with the cause that a client is not told', async () => {
    const cause = new TypeError('x is undefined')
    const tool = createTool({
      metadata: { name: 'broken' },
      handler: () => {
        throw cause
      },
    })
    const error = await testTool(tool)
      .call()
      .catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ToolFailed)
    expect((error as ToolFailed).cause).toBe(cause)
    expect((error as ToolFailed).message).toContain('x is undefined')
  })

  it('takes a failure meant for the model as an answer', async () => {
    const tool = createTool({
      metadata: { name: 'shown' },
      handler: () => {
        throw new ToolError('Try another city.')
      },
    })
    const result = await testTool(tool).call()
    expect([result.isError, textOf(result)]).toEqual([true, 'Try another city.'])
  })

  it('answers the questions of a tool and calls it again', async () => {
    const tool = createTool({
      metadata: { name: 'ask' },
      handler: (_, { inputResponses, requestState, clientCapabilities }) => {
        if (!inputResponses) {
          const can = Object.keys(clientCapabilities).join()
          const params = { message: 'Who?', requestedSchema: { type: 'object' } }
          return ToolResponse.inputRequired({ who: { method: 'elicitation/create', params } }, can)
        }
        return `${JSON.stringify(inputResponses)} ${requestState}`
      },
    })
    const t = testTool(tool, { clientCapabilities: { elicitation: {} } })
    const answers = { who: { action: 'accept', content: { name: 'Ada' } } }
    const text = `${JSON.stringify(answers)} elicitation`
    expect(textOf(await t.call({}, { answers }))).toBe(text)
    expect(textOf(await t.call({}, { answers: (asked) => (asked.who ? answers : {}) }))).toBe(text)
    await expect(t.call()).rejects.toThrow('the tool asks its client for who')
  })

  it.each([
    ['a Map', { at: new Map([['a', 1]]) }, /structuredContent\.at is a Map.*Object\.fromEntries/],
    ['not a number', { rows: [1, NaN] }, /structuredContent\.rows\[1\] is NaN/],
    ['bytes', { file: new Uint8Array(2) }, /structuredContent\.file is bytes/],
    ['a promise', { later: Promise.resolve(1) }, /later is a promise: await it/],
    ['a hole', { rows: [undefined] }, /rows\[0\] is undefined/],
    ['an error', { why: new Error('no') }, /why is an Error/],
    ['a bigint', { size: 1n }, /size is a bigint/],
  ])('reports %s, which would not arrive', async (_, value, expected) => {
    const tool = createTool({
      metadata: { name: 'odd' },
      handler: () => ({ content: [], structuredContent: value }),
    })
    const error = await testTool(tool)
      .call()
      .catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(NotJson)
    expect((error as NotJson).message).toMatch(expected)
  })
})
