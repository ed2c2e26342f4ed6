// The list of tools: https://modelcontextprotocol.io/specification/2026-07-28/server/tools#tool
import { describe, expect, it } from 'vitest'
import { useApplication } from './application.ts'
import { ask, MODERN, textOf } from './client.ts'

const application = useApplication()

interface Tool {
  name: string
  inputSchema: Record<string, unknown>
}

async function listed(revision: string = MODERN): Promise<Tool[]> {
  const { result } = await ask(application.url, 'tools/list', {}, { revision })
  return result['tools'] as Tool[]
}

function call(name: string, args: object = {}) {
  return ask(application.url, 'tools/call', { name, arguments: args })
}

describe('the list of tools', () => {
  it('[tools.list-same-for-all] [tools.list-order] is the same for everybody, always', async () => {
    const first = (await listed()).map(({ name }) => name)
    await call('repeat', { text: 'a' })
    await call('no_such_tool')
    const fresh = await ask(
      application.url,
      'tools/list',
      {},
      {
        capabilities: { sampling: {} },
        headers: { connection: 'close' },
      },
    )
    expect((fresh.result['tools'] as Tool[]).map(({ name }) => name)).toEqual(first)
    expect((await listed()).map(({ name }) => name)).toEqual(first)
    expect(first.length).toBeGreaterThan(30)
  })

  it.each(['2026-07-28', '2025-11-25'])(
    '[tools.metadata] tells all that is known of a tool, at %s',
    async (revision) => {
      const tool = (await listed(revision)).find(({ name }) => name === 'described')
      expect(tool).toEqual({
        name: 'described',
        title: 'A tool with everything',
        description: 'Tells all there is to tell',
        inputSchema: { type: 'object', properties: {}, additionalProperties: false },
        annotations: { title: 'Described', readOnlyHint: true, openWorldHint: false },
        icons: [{ src: 'https://example.com/icon.png', mimeType: 'image/png', sizes: ['48x48'] }],
        // Without a component's rights, which not every host tells the gateway.
        _meta: expect.objectContaining({ 'com.example/colour': 'blue' }) as object,
      })
    },
  )

  it('[tools.names] [tools.names-unique] has names every client can use, each once', async () => {
    const names = (await listed()).map(({ name }) => name)
    for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_.-]{1,128}$/)
    expect(new Set(names).size).toBe(names.length)
  })

  it('[tools.names-prefixed] has two tools of one name under two names', async () => {
    expect((await listed()).map(({ name }) => name)).toContain('oddities__test_simple_text')
    expect(textOf(await call('test_simple_text'))).toBe(
      'This is a simple text response for testing.',
    )
    expect(textOf(await call('oddities__test_simple_text'))).toBe(
      'The tool of the other component.',
    )
  })

  it('[tools.names-case] tells names apart by their case', async () => {
    expect((await call('Test_Simple_Text')).error?.code).toBe(-32602)
  })

  it('keeps the annotations of parameters that are repeated in headers', async () => {
    const tool = (await listed()).find(({ name }) => name === 'header_params')
    expect(headerParams(tool?.inputSchema)).toEqual(['Region', 'Count', 'Dry-Run', 'Zone'])
  })
})

function headerParams(schema: unknown): unknown[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([key, value]: [string, unknown]) =>
    key === 'x-mcp-header' ? [value] : headerParams(value),
  )
}
