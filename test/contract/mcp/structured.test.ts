// Structured content: https://modelcontextprotocol.io/specification/2026-07-28/server/tools#structured-content
import { describe, expect, it } from 'vitest'
import { useApplication } from './application.ts'
import { ask, MODERN } from './client.ts'

const application = useApplication()
const STRUCTURED = ['2026-07-28', '2025-11-25', '2025-06-18']

function call(name: string, revision: string = MODERN, args: object = {}) {
  return ask(application.url, 'tools/call', { name, arguments: args }, { revision })
}

async function outputSchemas(revision: string): Promise<Map<string, { type?: unknown }>> {
  const { result } = await ask(application.url, 'tools/list', {}, { revision })
  const tools = result['tools'] as { name: string; outputSchema?: { type?: unknown } }[]
  return new Map(
    tools.flatMap(({ name, outputSchema }) =>
      outputSchema ? [[name, outputSchema] as const] : [],
    ),
  )
}

describe.each(STRUCTURED)('a tool with an output schema, at %s', (revision) => {
  it('[tools.structured] has its structure passed on', async () => {
    expect((await outputSchemas(revision)).get('structured_good')).toEqual({
      type: 'object',
      properties: { n: { type: 'number' } },
      required: ['n'],
    })
    const { result } = await call('structured_good', revision)
    expect(result['structuredContent']).toEqual({ n: 1.5 })
    expect(result['isError'] ?? false).toBe(false)
  })

  it.each(['structured_wrong', 'structured_missing'])(
    '[tools.structured] never answers against it: %s',
    async (name) => {
      const { result } = await call(name, revision)
      expect(result['isError']).toBe(true)
      expect(result).not.toHaveProperty('structuredContent')
    },
  )

  it('[tools.structured-as-text] repeats its structure as text', async () => {
    const args = { level: 'low' }
    const { result } = await call('plain', revision, args)
    expect(result['structuredContent']).toEqual(args)
    expect((result['content'] as { type: string; text: string }[])[0]?.type).toBe('text')
    expect(JSON.parse((result['content'] as { text: string }[])[0]?.text ?? '')).toEqual(args)
  })
})

it('[tools.structured-any-value] structure may be an array at 2026-07-28', async () => {
  expect((await outputSchemas(MODERN)).get('structured_list')).toEqual({
    type: 'array',
    items: { type: 'number' },
  })
  expect((await call('structured_list')).result['structuredContent']).toEqual([1, 2])
})

it.each(['2025-11-25', '2025-06-18'])(
  '[tools.structured-object] structure is an object at %s, or is not there',
  async (revision) => {
    for (const [name, { type }] of await outputSchemas(revision)) expect(type, name).toBe('object')
    const { result } = await call('structured_list', revision)
    expect(result['content']).toEqual([{ type: 'text', text: '[1,2]' }])
    expect(result).not.toHaveProperty('structuredContent')
  },
)
