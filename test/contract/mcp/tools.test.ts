// Tools: https://modelcontextprotocol.io/specification/2026-07-28/server/tools
import { describe, expect, it } from 'vitest'
import { useApplication } from './application.ts'
import { capabilitiesAt } from './checks.ts'
import { ALL, ask, MODERN } from './client.ts'

const application = useApplication()

interface Tool {
  name: string
  inputSchema: Record<string, unknown>
  [member: string]: unknown
}

async function listed(revision: string = MODERN): Promise<Tool[]> {
  const { result } = await ask(application.url, 'tools/list', {}, { revision })
  return result['tools'] as Tool[]
}

function call(name: string, args: unknown = {}, revision: string = MODERN) {
  return ask(application.url, 'tools/call', { name, arguments: args }, { revision })
}

describe.each(ALL)('tools at %s', (revision) => {
  it('[tools.capability] are declared', async () => {
    expect(await capabilitiesAt(application.url, revision)).toMatchObject({ tools: {} })
  })

  it('[tools.list] [tools.input-schema] are listed with an object schema each', async () => {
    const tools = await listed(revision)
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['test_simple_text', 'repeat', 'image']),
    )
    for (const { name, inputSchema } of tools)
      expect(inputSchema, name).toMatchObject({ type: 'object' })
  })

  it('[tools.call] answer with their content', async () => {
    const { status, result } = await call('test_simple_text', {}, revision)
    expect(status).toBe(200)
    expect(result['content']).toEqual([
      { type: 'text', text: 'This is a simple text response for testing.' },
    ])
    expect(result['isError'] ?? false).toBe(false)
  })

  it('[tools.content] answer with image, audio and resource as they are', async () => {
    const bytes = 'AAEC/f7/'
    expect((await call('image', {}, revision)).result['content']).toEqual([
      { type: 'image', data: bytes, mimeType: 'image/png' },
    ])
    expect((await call('audio', {}, revision)).result['content']).toEqual([
      { type: 'audio', data: bytes, mimeType: 'audio/wav' },
    ])
    expect((await call('test_embedded_resource', {}, revision)).result['content']).toEqual([
      {
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      },
    ])
    const several = (await call('test_multiple_content_types', {}, revision)).result['content']
    expect((several as { type: string }[]).map(({ type }) => type)).toEqual([
      'text',
      'image',
      'resource',
    ])
  })

  it.each(['no_such_tool', 'constructor', '__proto__', 'tools/../list', 'x'.repeat(10_000)])(
    '[tools.unknown] that are not there are -32602: %.20s',
    async (name) => {
      const { status, error } = await call(name, {}, revision)
      expect([status, error?.code]).toEqual([200, -32602])
    },
  )

  it.each([
    ['no name', { arguments: {} }],
    ['a name that is no text', { name: 5, arguments: {} }],
    ['arguments that are an array', { name: 'repeat', arguments: [] }],
    ['arguments that are text', { name: 'repeat', arguments: '{}' }],
  ])('[tools.malformed-call] refuse a call with %s', async (_, params) => {
    const { error, messages } = await ask(application.url, 'tools/call', params, { revision })
    expect([error?.code, messages[0]?.id]).toEqual([-32602, 1])
  })

  it.each([[{}], [{ text: 5 }], [{ text: 'a', more: true }]])(
    '[tools.input-validated] do not see arguments that do not fit: %j',
    async (args) => {
      const { text, error, result } = await call('repeat', args, revision)
      expect(error !== undefined || result['isError'] === true).toBe(true)
      // Where it is wrong is said.
      expect(text).toMatch(/text|more/)
    },
  )

  it('[tools.execution-error] say in the result that they failed', async () => {
    const { status, result } = await call('test_error_handling', {}, revision)
    expect(status).toBe(200)
    expect(result).toMatchObject({
      content: [{ type: 'text', text: 'This tool intentionally returns an error for testing' }],
      isError: true,
    })
  })

  it('[tools.execution-error] [tools.outputs-sanitized] crash without a word of their inside', async () => {
    const { status, result, text } = await call('crashes', {}, revision)
    expect(status).toBe(200)
    expect(result['isError']).toBe(true)
    expect(result['content']).not.toEqual([])
    expect(text).not.toMatch(/secret-in-a-stack|\bat .+:\d+:\d+|oddities\.|spin\.internal/)
  })
})

it.each(['2026-07-28', '2025-11-25'])(
  '[tools.input-error-result] at %s a model reads what is wrong with its arguments',
  async (revision) => {
    const { status, result, error } = await call('repeat', { text: 5 }, revision)
    expect([status, error]).toEqual([200, undefined])
    expect(result['isError']).toBe(true)
    expect(JSON.stringify(result['content'])).toMatch(/text/)
  },
)

it.each(['2026-07-28', '2025-11-25', '2025-06-18'])(
  '[tools.resource-links] at %s a link keeps uri and name',
  async (revision) => {
    expect((await call('link', {}, revision)).result['content']).toEqual([
      { type: 'resource_link', uri: 'https://example.com/a', name: 'a' },
    ])
  },
)
