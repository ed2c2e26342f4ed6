// The official TypeScript clients, unchanged: what they can do with any MCP server they can do with the gateway.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useFixtures } from './application.ts'
import { type Connect, connectV1, type Connection, connectV2 } from './sdk-clients.ts'

const fixtures = useFixtures()

const LEGACY = '2025-11-25'
const MODERN = '2026-07-28'

interface Way {
  way: string
  connect: Connect
  revision: string
}

const WAYS: Way[] = [
  { way: 'SDK v1', connect: connectV1, revision: LEGACY },
  { way: 'SDK v2 as it comes', connect: connectV2(), revision: LEGACY },
  {
    way: 'SDK v2 that looks for the newest revision',
    connect: connectV2('auto'),
    revision: MODERN,
  },
  { way: 'SDK v2 pinned', connect: connectV2({ pin: MODERN }), revision: MODERN },
]

/**
 * Two pauses of 50 ms lie between the three messages of the fixtures, and the first may come late on a busy machine.
 * Messages that are held back until the end come all at once.
 */
const SPREAD_MS = 25

describe.each(WAYS)('the $way client', ({ connect, revision }) => {
  let connection: Connection
  // Not at all when the tests are skipped: another application may have nothing to connect for.
  beforeAll(async () => (connection = await connect(`${fixtures.url}/mcp`)))
  afterAll(() => connection.client.close())

  it('uses the newest revision it knows and learns the name of the server', () => {
    expect(connection.revision).toBe(revision)
    expect(connection.client.getServerVersion()).toMatchObject({ name: 'ftl-conformance' })
    const capabilities = connection.client.getServerCapabilities()
    expect(Object.keys(capabilities ?? {})).toEqual(
      expect.arrayContaining(['tools', 'prompts', 'resources', 'completions']),
    )
  })

  it('lists the tools with their schemas', async () => {
    const { tools } = await connection.client.listTools()
    const tool = tools.find(({ name }) => name === 'json_schema_2020_12_tool')
    expect(tool?.inputSchema).toMatchObject({
      $defs: { address: { $anchor: 'addressDef' } },
      if: { properties: { contactMethod: { const: 'phone' } } },
    })
  })

  it('calls a tool', async () => {
    expect((await connection.call('test_simple_text')).content).toEqual([
      { type: 'text', text: 'This is a simple text response for testing.' },
    ])
  })

  it('gets an argument through, also where it is sent in a header too', async () => {
    const region = 'Grüße 🐉'
    const { content } = await connection.call('test_custom_header', { region })
    expect(content).toEqual([{ type: 'text', text: JSON.stringify({ region }) }])
  })

  it('sees the progress of a call while it runs', { retry: 2 }, async () => {
    const seen: number[] = []
    let firstAt = Number.NaN
    const { content } = await connection.call(
      'test_tool_with_progress',
      {},
      {
        onprogress: ({ progress, total }) => {
          if (seen.length === 0) firstAt = performance.now()
          expect(total).toBe(100)
          seen.push(progress)
        },
      },
    )
    expect(performance.now() - firstAt).toBeGreaterThan(SPREAD_MS)
    expect(seen).toEqual([0, 50, 100])
    expect(content).toEqual([{ type: 'text', text: 'The tool with progress has run.' }])
  })

  it('gets the log messages of a call', async () => {
    const logged: unknown[] = []
    await connection.call('test_tool_with_logging', {}, { onlog: (data) => logged.push(data) })
    expect(logged).toEqual([
      'Tool execution started',
      'Tool processing data',
      'Tool execution completed',
    ])
  })

  it('lists prompts and gets one', async () => {
    const { prompts } = await connection.client.listPrompts()
    expect(prompts.map(({ name }) => name)).toContain('test_prompt_with_arguments')
    const { messages } = await connection.client.getPrompt({
      name: 'test_prompt_with_arguments',
      arguments: { arg1: 'one', arg2: 'two' },
    })
    expect(messages).toMatchObject([
      { content: { text: "Prompt with arguments: arg1='one', arg2='two'" } },
    ])
  })

  it('lists resources and reads one', async () => {
    const { resources } = await connection.client.listResources()
    expect(resources.map(({ uri }) => uri)).toContain('test://static-text')
    const { contents } = await connection.client.readResource({ uri: 'test://static-text' })
    expect(contents).toEqual([
      {
        uri: 'test://static-text',
        mimeType: 'text/plain',
        text: 'This is the content of the static text resource.',
      },
    ])
  })

  it('lists resource templates and reads a resource of one', async () => {
    const { resourceTemplates } = await connection.client.listResourceTemplates()
    expect(resourceTemplates).toMatchObject([
      { uriTemplate: 'test://template/{id}/data' },
      // Files of a skill that has a folder of them.
      { uriTemplate: 'skill://refunds/{+file}' },
    ])
    const uri = 'test://template/7/data'
    const { contents } = await connection.client.readResource({ uri })
    expect(contents).toMatchObject([{ uri, text: expect.stringContaining('"id":"7"') as string }])
  })

  it('completes an argument', async () => {
    const { completion } = await connection.client.complete({
      ref: { type: 'ref/prompt', name: 'test_prompt_with_arguments' },
      argument: { name: 'arg1', value: 'part' },
    })
    expect(completion.values).toEqual(['party'])
  })

  it('gets an error when there is no such tool, prompt or resource', async () => {
    const { client, call } = connection
    await expect(call('nothing')).rejects.toMatchObject({ code: -32602 })
    await expect(client.getPrompt({ name: 'nothing' })).rejects.toMatchObject({ code: -32602 })
    await expect(client.readResource({ uri: 'test://nothing' })).rejects.toMatchObject({
      data: { uri: 'test://nothing' },
    })
  })

  it('gets bad arguments back as a result that names the field', async () => {
    const { isError, content } = await connection.call('test_simple_text', { surplus: 1 })
    expect(isError).toBe(true)
    expect(JSON.stringify(content)).toContain('surplus')
  })

  it('gets content of a type of the tool as a resource, beside the rest of the result', async () => {
    const chart = { type: 'custom/chart', data: [1, 2], metadata: { chartType: 'bar' } }
    const { content } = await connection.call('test_custom_content')
    expect(content).toEqual([
      { type: 'text', text: 'This is a chart.' },
      {
        type: 'resource',
        resource: {
          uri: 'urn:ftl:content:1',
          mimeType: 'application/vnd.custom.chart+json',
          text: JSON.stringify(chart),
        },
        _meta: { 'ftl/content': chart },
      },
    ])
  })

  it('gets the error of a tool as a result', async () => {
    expect(await connection.call('test_error_handling')).toMatchObject({ isError: true })
  })
})

describe('the endpoint of one component', () => {
  it.each(WAYS)('serves the $way client', async ({ connect }) => {
    const { client, call } = await connect(`${fixtures.url}/mcp/x/everything`)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('test_simple_text')
    expect((await call('test_simple_text')).isError).not.toBe(true)
    await client.close()
  })

  it.each(WAYS)('refuses the $way client where there is no such component', async ({ connect }) => {
    await expect(connect(`${fixtures.url}/mcp/x/nothing`)).rejects.toThrow()
  })
})
