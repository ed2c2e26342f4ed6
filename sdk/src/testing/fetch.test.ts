import { describe, expect, it } from 'vitest'
import { createTool } from '../tool/create-tool.ts'
import { ToolResponse } from '../tool/answer-builders.ts'
import { testComponent, testTool, textOf } from './index.ts'

const get = createTool({
  metadata: { name: 'get', inputSchema: { type: 'object' } },
  handler: async (input, { platform }) => {
    const { url, method = 'GET' } = input as { url: string; method?: string }
    const response = await platform.fetch(url, {
      method,
      ...(method === 'POST' && { body: 'sent' }),
    })
    return `${response.status} ${await response.text()}`
  },
})

describe('the network of a test', () => {
  const t = testTool(get, {
    fetch: {
      'https://api.example/now': { temperature: 21 },
      'https://api.example/text?lang=en': 'hello',
      'POST https://api.example/*': async (request: Request) =>
        `${await request.text()} ${request.url}`,
      'https://down.example': () => new Response('gone', { status: 503 }),
    },
  })
  it.each([
    [{ url: 'https://api.example/now' }, '200 {"temperature":21}'],
    [{ url: 'https://api.example/now?unit=k' }, '200 {"temperature":21}'],
    [{ url: 'https://api.example/text?lang=en' }, '200 hello'],
    [{ url: 'https://api.example/a/b?c', method: 'POST' }, '200 sent https://api.example/a/b?c'],
    [{ url: 'https://down.example/' }, '503 gone'],
  ])('answers %j', async (args, expected) => {
    expect(textOf(await t.call(args))).toBe(expected)
    // A second time: what is handed out is not used up.
    expect(textOf(await t.call(args))).toBe(expected)
  })

  it.each([
    'https://api.example/',
    'https://api.example/text?lang=de',
    'https://other.example/now',
  ])('does not reach %s, and says what to add', async (url) => {
    await expect(t.call({ url })).rejects.toThrow(`'GET ${url}': answer`)
  })

  it('is a function where that says more, and remembers what was sent', async () => {
    const own = testTool(get, { fetch: async (input) => new Response((input as Request).url) })
    expect(textOf(await own.call({ url: 'https://any.example/' }))).toBe('200 https://any.example/')
    expect(own.requests.map(({ url, method }) => [method, url])).toEqual([
      ['GET', 'https://any.example/'],
    ])
  })

  it('has the other components of the application in it', async () => {
    const caller = createTool({
      metadata: { name: 'caller' },
      handler: async (_, { platform }) => {
        const init = { method: 'POST', body: '{"text":"hi"}' }
        const response = await platform.fetch('http://echo.spin.internal/', init)
        return (await response.json()) as ReturnType<typeof ToolResponse.text>
      },
    })
    const echo = createTool({
      metadata: { name: 'echo', inputSchema: { type: 'object' } },
      handler: (input, { component }) => `${component}: ${(input as { text: string }).text}`,
    })
    const t = testComponent({ tools: [caller] }, { components: { echo: { tool: echo } } })
    expect(textOf(await t.call('caller'))).toBe('echo: hi')
    // Handlers for every address are for the network. One that names the component stands in for it.
    const echoed = (fetch: object) =>
      testComponent(
        { tools: [caller] },
        { components: { echo: { tool: echo } }, fetch: { ...fetch } },
      )
    expect(textOf(await echoed({ '*': 'swallowed' }).call('caller'))).toBe('echo: hi')
    expect(textOf(await echoed({ 'http://*': 'swallowed' }).call('caller'))).toBe('echo: hi')
    const instead = { 'http://echo.spin.internal/': ToolResponse.text('instead') }
    expect(textOf(await echoed(instead).call('caller'))).toBe('instead')
  })
})
