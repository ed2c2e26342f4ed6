// A server with everything odd that other people's servers list and answer, behind the gateway beside one that is not odd: what
// each costs, as the official clients see it.
import { toolName } from 'ftl-contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { officialHandler } from '../differential/official-server.ts'
import { isNightly } from '../support/nightly.ts'
import { CANNOT_RUN, type RemoteApplication, startRemote } from './application.ts'
import { json } from './faulty-server.ts'
import { pythonReader, type Reader, readV1, readV2 } from './real/official-clients.ts'
import { serve, serveFetch, type WebServer } from './servers.ts'

const object = { type: 'object' }
const taking = (a: unknown, more: object = {}) => ({
  inputSchema: { type: 'object', properties: { a }, ...more },
})
const giving = (a: unknown, more: object = {}) => ({
  inputSchema: object,
  outputSchema: { type: 'object', properties: { a }, ...more },
})
const DRAFT_4 = 'http://json-schema.org/draft-04/schema#'

/** Members of a tool, by its name, as real servers had them. */
const ENTRIES: Record<string, Record<string, unknown>> = {
  hint_null: { annotations: { title: null, readOnlyHint: null } },
  hint_text: { annotations: { readOnlyHint: 'true' } },
  icon_null: { icons: [null] },
  icon_number: { icons: [{ src: 5 }] },
  icon_sizes: { icons: [{ src: 'https://x.example/y.png', sizes: '48x48' }] },
  annotations_null: { annotations: null },
  title_null: { title: null },
  description_null: { description: null },
  output_null: { outputSchema: null },
  required_null: { inputSchema: { type: 'object', required: null } },
  input_draft_4: taking({ type: 'string' }, { $schema: DRAFT_4 }),
  input_exclusive: taking({ type: 'integer', minimum: 0, exclusiveMinimum: true }),
  input_flags: taking({ type: 'string', pattern: '(?i)^abc$' }),
  input_python: taking({ type: 'string', pattern: '(?P<x>\\d+)\\Z' }),
  input_nowhere: taking({ $ref: '#/$defs/none' }),
  input_elsewhere: taking({ $ref: 'https://x.example/y.json' }),
  input_str: taking({ type: 'str' }),
  output_draft_4: giving({ type: 'string' }, { $schema: DRAFT_4 }),
  output_exclusive: giving({ type: 'integer', minimum: 0, exclusiveMinimum: true }),
  output_python: giving({ type: 'string', pattern: '(?P<x>\\d+)\\Z' }),
  output_nowhere: giving({ $ref: '#/$defs/none' }),
  output_elsewhere: giving({ $ref: 'https://x.example/y.json' }),
  output_str: giving({ type: 'str' }),
  // Cut in the middle of a character, as JavaScript does. JSON can have it, and parsers in Python and Rust refuse all of it.
  half_character: {
    title: 'half \ud83d',
    ...taking({ type: 'string', description: '\ude00 half' }),
  },
  ['long_'.repeat(20)]: {},
  'immich.ping': {},
  '21st_magic_component_builder': {},
}

/** Arguments that fit what the schema meant to say. */
const ARGUMENTS: Record<string, unknown> = {
  input_draft_4: 'x',
  input_exclusive: 5,
  input_flags: 'ABC',
  input_python: '12',
  input_nowhere: 'x',
  input_elsewhere: 'x',
  input_str: 'x',
}

const structured = (a: string) =>
  `{"content":[{"type":"text","text":"done"}],"structuredContent":{"a":${a}}}`

/** What a tool answers, as the text of the result. @default a text */
const ANSWERS: Record<string, string> = {
  half_character:
    '{"content":[{"type":"text","text":"done"}],"_meta":{"of.example/half":"\\ud83d"}}',
  output_draft_4: structured('"x"'),
  output_exclusive: structured('5'),
  output_python: structured('"12"'),
  output_nowhere: structured('"x"'),
  output_elsewhere: structured('"x"'),
  output_str: structured('"x"'),
  misses_schema: structured('"no number"'),
  misses_format: structured('"2026-01-01T00:00:00"'),
  rounded: structured('725653563933458432'),
  infinite: structured('1e400'),
}
const CALLED: Record<string, object> = {
  misses_schema: giving({ type: 'number' }),
  misses_format: giving({ type: 'string', format: 'date-time' }),
  rounded: giving({ type: 'number' }),
  infinite: giving({ type: 'number' }),
  nullable: {
    inputSchema: {
      type: 'object',
      properties: {
        key: { type: 'string', default: null },
        note: { type: 'string', nullable: true },
        size: { type: 'integer' },
      },
    },
  },
  'issues/list': {},
}

describe.skipIf(CANNOT_RUN)('an odd server', () => {
  /** Bodies of calls, as they were sent. */
  let calls: string[] = []
  let servers: WebServer[]
  let application: RemoteApplication

  beforeAll(async () => {
    const odd = await serve((request, response, body) => {
      // Some servers are at another path than their users write.
      if (request.url === '/mcp') {
        return void response.writeHead(308, { location: '/real/mcp' }).end()
      }
      const { id, method, params } = JSON.parse(body || '{}') as {
        id?: number
        method?: string
        params?: { name: string }
      }
      if (id === undefined) return void response.writeHead(202).end()
      if (method === 'tools/call') {
        calls.push(body)
        const text = '{"content":[{"type":"text","text":"done"}]}'
        const result = ANSWERS[params?.name ?? ''] ?? text
        // Ids as text, and an event of the server's own before the answer.
        const answer = `{"jsonrpc":"2.0","id":"${id}","result":${result}}`
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.end(`event: ping\ndata: {"type":"ping"}\n\nevent: message\ndata: ${answer}\n\n`)
        return
      }
      const tools = Object.entries({ ...ENTRIES, ...CALLED }).map(([name, more]) => ({
        name,
        description: 'd',
        inputSchema: object,
        ...more,
      }))
      const results: Record<string, object> = {
        initialize: {
          protocolVersion: '2025-06-18',
          capabilities: { tools: {} },
          serverInfo: { name: 'odd', version: '1' },
        },
        'tools/list': { tools, nextCursor: null },
      }
      const result = results[method ?? '']
      const error = { code: -32601, message: 'Method not found' }
      json(response, JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) }))
    })
    const refusing = await serve((_, response) => {
      const error = { code: -32000, message: 'Ask the team of the vault for access.' }
      json(response, JSON.stringify({ jsonrpc: '2.0', id: null, error }), 403)
    })
    const sound = await serveFetch(officialHandler())
    servers = [odd, refusing, sound]
    application = await startRemote(
      {
        odd: { url: odd.url },
        vault: { url: refusing.url },
        sound: { url: sound.url },
      },
      // A busy machine needs more than the usual two seconds for the first list.
      { discovery_timeout_ms: '20000' },
    )
  })
  afterAll(async () => {
    await application?.close()
    for (const server of servers) await server.close()
  })

  const NAMES = [...Object.keys(ENTRIES), ...Object.keys(CALLED)].map(toolName)

  async function expectAll(read: Reader): Promise<void> {
    const steps = Object.keys(ENTRIES).map((call) => {
      const a = ARGUMENTS[call] as string | number | undefined
      return { call: toolName(call), ...(a !== undefined && { arguments: { a } }) }
    })
    const { tools, outcomes } = await read(`${application.url}/mcp`, steps)
    const names = tools.map(({ name }) => name)
    expect(names).toEqual(
      expect.arrayContaining([...NAMES, 'add', 'immich_ping', 'tool_21st_magic_component_builder']),
    )
    // OpenAI, Anthropic and Gemini together.
    for (const name of names) expect(name).toMatch(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/)
    for (const [index, { error, result }] of outcomes.entries()) {
      expect([steps[index], error, result?.['content']]).toEqual([
        steps[index],
        undefined,
        [{ type: 'text', text: 'done' }],
      ])
    }
  }

  it.each([
    ['of SDK 1', readV1],
    ['of SDK 2', readV2],
  ])('costs the client %s no tool, and each can be called', (_, read) => expectAll(read))

  it.skipIf(!isNightly)(
    'costs the client for Python no tool, and each can be called',
    async ({ skip }) => {
      const read = await pythonReader()
      if (typeof read === 'string') return skip(read)
      await expectAll(read)
    },
    300_000,
  )

  it('gets null where the type is nullable, and nothing where null stands for an argument left out', async () => {
    calls = []
    const { result } = await application.call('nullable', { key: null, note: null, size: null })
    expect(result).toEqual({ content: [{ type: 'text', text: 'done' }] })
    expect(calls.map((text) => (JSON.parse(text) as { params: object }).params)).toEqual([
      expect.objectContaining({ arguments: { note: null } }),
    ])
  })

  it.each(['misses_schema', 'rounded', 'infinite'])(
    'keeps the text of an answer whose structured part cannot be passed on: %s',
    async (name) => {
      const { result } = await application.call(name)
      expect(result?.['isError']).toBeUndefined()
      expect(result?.['structuredContent']).toBeUndefined()
      const content = result?.['content'] as { text: string }[]
      expect(content[0]?.text).toBe('done')
      expect(content[1]?.text).toContain('structuredContent')
    },
  )

  it('keeps a time without a zone', async () => {
    const { result } = await application.call('misses_format')
    expect(result?.['structuredContent']).toEqual({ a: '2026-01-01T00:00:00' })
  })

  it.each(['725653563933458432', '1e400', '-9007199254740993'])(
    'never gets the number %s as another one',
    async (number) => {
      calls = []
      const call = `{"name":"input_nowhere","arguments":{"a":${number}}}`
      const response = await fetch(`${application.url}/mcp`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${call}}`,
      })
      expect(await response.text()).toMatch(/string/)
      expect(calls).toEqual([])
    },
  )

  it('is called by its own name where that had to be changed', async () => {
    calls = []
    await application.call('issues_list')
    expect(calls.join()).toContain('"name":"issues/list"')
  })

  it.each(['/mcp', '/mcp/'])(
    'is listed to clients that send a cursor of null to %s',
    async (at) => {
      const response = await fetch(application.url + at, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":null}}',
      })
      expect(await response.text()).toContain('"hint_null"')
    },
  )

  it('is reported, and so are the words of a server that refuses', async () => {
    const problems = (await application.problems()).join('\n')
    expect(problems).toMatch(/server "odd": .*input_nowhere/)
    expect(problems).toMatch(/server "vault": .*Ask the team of the vault for access\./)
  })
})
