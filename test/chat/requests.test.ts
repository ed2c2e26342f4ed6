// What a client may send, and how the choice of tools, history and attachments reach both kinds of models.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chat, type ChatApplication, post, startChat, statuses } from './application.ts'

const WORDS = expect.stringMatching(/\S/) as string
const ALL = [
  'steps',
  'ticks',
  'picture',
  'table',
  'html',
  'refuses',
  'crashes',
  'long_work',
  'echo',
]

describe.each(['openai', 'ollama'] as const)('%s', (api) => {
  let application: ChatApplication
  beforeAll(async () => {
    const script = [
      {
        when: 'echo',
        turns: [
          { calls: [{ name: 'echo', arguments: { message: 'back' } }] },
          { content: 'Said.' },
        ],
      },
      { turns: [{ content: 'Hello.' }] },
    ]
    application = await startChat({ script }, { llm_api: api, llm_models: 'larger' })
    await chat(application, 'hello')
  })
  afterAll(() => application.close())

  const told = async (body: object) => {
    const lines = await chat(application, body)
    const request = application.model.requests.at(-1)
    expect(request?.wire).toBe(api)
    const tools = request?.body.tools?.map((tool) => tool.function.name) ?? []
    return { lines, tools, messages: request?.body.messages ?? [] }
  }

  it('calls a tool and answers by what it said', async () => {
    const { lines, messages } = await told({ message: 'echo' })
    expect(lines.at(-1)?.response).toMatchObject({ content: 'Said.', steps: 2 })
    expect(messages.slice(-2)).toMatchObject([
      { role: 'assistant', tool_calls: [{ function: { name: 'echo' } }] },
      { role: 'tool', content: 'back' },
    ])
  })

  it('is the one that the request names, where the operator allows it', async () => {
    await told({ message: 'x', model: 'larger' })
    expect(application.model.requests.at(-1)?.body).toMatchObject({ model: 'larger' })
    const refused = await fetch(
      `${application.url}/api/chat`,
      post({ message: 'x', model: 'dearest' }),
    )
    expect(refused.status).toBe(400)
    const state: unknown = await (await fetch(`${application.url}/api/chat`)).json()
    expect(state).toMatchObject({ models: ['larger'] })
  })

  it('is given the tools that are not blocked, by exact names', async () => {
    expect((await told({ message: 'x' })).tools.sort()).toEqual([...ALL].sort())
    expect((await told({ message: 'x', blockedServers: ['talk'] })).tools).toEqual(['echo'])
    expect(
      (await told({ message: 'x', blockedServers: ['tal', 'ech', 'Echo'] })).tools,
    ).toHaveLength(ALL.length)
    const some = await told({ message: 'x', enabledTools: { talk: ['html'] } })
    expect(some.tools.sort()).toEqual(['echo', 'html'])
    expect((await told({ message: 'x', blockedServers: ['talk', 'echo'] })).tools).toEqual([])
  })

  it('a tool that is blocked is not called, whatever the model says', async () => {
    const { lines, messages } = await told({ message: 'echo', blockedServers: ['echo'] })
    expect(statuses(lines)).not.toContain('Calling echo')
    expect(messages.at(-1)?.content).toContain('tool_not_found')
  })

  it('receives the history, the pinned graph and the attached texts', async () => {
    const { lines, messages } = await told({
      message: 'now',
      history: [
        { role: 'user', content: 'before' },
        { role: 'assistant', content: 'yes' },
      ],
      pinnedGraph: { id: 'g', title: 'Genes', type: 'graph', content: { nodes: ['BRCA1'] } },
      attachments: [
        { name: 'a.txt', mimeType: 'text/plain', text: 'inlined words' },
        { name: 'b.csv', mimeType: 'text/csv', data: Buffer.from('x;ü').toString('base64') },
      ],
    })
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user'])
    expect(messages[0]?.content).toContain('{"nodes":["BRCA1"]}')
    expect(messages[1]?.content).toBe('before')
    expect(messages[3]?.content).toMatch(/^now\n[^]*inlined words[^]*x;ü/)
    expect(statuses(lines)).toContain('Using the pinned knowledge graph')
  })

  it('is given pictures in its own way', async () => {
    const attachments = [{ name: 'p.png', mimeType: 'image/png', data: 'aGFsbG8=' }]
    const { messages } = await told({ message: 'look', attachments })
    const last = messages.at(-1)
    if (api === 'ollama') expect(last).toMatchObject({ images: ['aGFsbG8='] })
    else {
      const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,aGFsbG8=' } }
      expect(last?.content).toContainEqual(image)
    }
  })

  it('may answer with one document', async () => {
    const whole = await startChat(
      {
        whole: true,
        script: [
          {
            turns: [
              { calls: [{ name: 'echo', arguments: { message: 'm' } }] },
              { content: 'Whole.' },
            ],
          },
        ],
      },
      { llm_api: api },
    )
    try {
      const lines = await chat(whole, 'go')
      expect(lines.at(-1)?.response).toMatchObject({ content: 'Whole.', steps: 2 })
    } finally {
      await whole.close()
    }
  })
})

describe('a request', () => {
  let application: ChatApplication
  beforeAll(async () => {
    application = await startChat({}, { allowed_hosts: 'chat.example' })
  })
  afterAll(() => application.close())

  const refusedWith = async (init: RequestInit) => {
    const response = await fetch(`${application.url}/api/chat`, init)
    return { status: response.status, body: (await response.json()) as { error: object } }
  }

  it.each([
    [{}, 400, 'message'],
    [{ message: '  ' }, 400, 'message'],
    [{ message: 'x'.repeat(100_001) }, 413, 'message'],
    [{ message: 'x', history: {} }, 400, 'history'],
    [{ message: 'x', history: Array(201).fill({ role: 'user', content: 'y' }) }, 413, 'history'],
    [{ message: 'x', history: [{ role: 'user', content: 'y'.repeat(400_001) }] }, 413, 'history'],
    [{ message: 'x', history: [{ role: 'system', content: 'y' }] }, 400, 'history[0].role'],
    [{ message: 'x', blockedServers: 'echo' }, 400, 'blockedServers'],
    [{ message: 'x', enabledTools: { echo: true } }, 400, 'enabledTools.echo'],
    [{ message: 'x', pinnedGraph: { title: 't' } }, 400, 'pinnedGraph.content'],
    [
      { message: 'x', attachments: [{ mimeType: 'video/mp4', data: 'aaaa' }] },
      400,
      'attachments[0].mimeType',
    ],
    [
      { message: 'x', attachments: [{ mimeType: 'text/plain', data: 'a' }] },
      400,
      'attachments[0].data',
    ],
    [
      { message: 'x', attachments: [{ mimeType: 'image/png', url: 'file:///etc/passwd' }] },
      400,
      'attachments[0].url',
    ],
  ])('%.80j is refused before any line', async (body, status, field) => {
    expect(await refusedWith(post(body))).toMatchObject({
      status,
      body: { error: { field, message: WORDS, requestId: WORDS } },
    })
  })

  it.each([
    ['no JSON', { ...post({}), body: '{' }, 400, 'invalid_json'],
    [
      'a form',
      { ...post({}), headers: { 'content-type': 'text/plain' } },
      415,
      'unsupported_media_type',
    ],
    ['another method', { method: 'PUT' }, 405, 'method_not_allowed'],
    ['a page of another site', { headers: { origin: 'https://evil.example' } }, 403, 'forbidden'],
  ])('%s is refused', async (_, init, status, code) => {
    expect(await refusedWith(init)).toMatchObject({ status, body: { error: { code } } })
  })

  it('of a page of this machine may be read by it', async () => {
    const origin = 'http://localhost:5173'
    const { headers } = await fetch(`${application.url}/api/chat`, { headers: { origin } })
    expect(headers.get('access-control-allow-origin')).toBe(origin)
    expect(headers.get('x-request-id')).toMatch(/\S/)
  })

  it('for the state is answered with the model there is, and without key or address', async () => {
    const response = await fetch(`${application.url}/api/chat`)
    expect(await response.json()).toEqual({ configured: true, model: 'demo', api: 'openai' })
  })
})
