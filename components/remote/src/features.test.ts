// Prompts, resources and completions of two servers, on a host that the test controls.
import { toComponent } from 'ftl-sdk/serve'
import type { ContextPlatform } from 'ftl-sdk'
import { beforeEach, describe, expect, it } from 'vitest'
import { tools } from './main.ts'

interface Message {
  id?: number
  method: string
  params: Record<string, unknown>
}

type Result = (params: Record<string, unknown>) => object
/** By method. */
type Results = Record<string, object | Result>

const text = (of: string) => ({ type: 'text', text: of })
/** Its page would call it by the name that it has at its server. */
const RENAMED = [expect.stringMatching(/^server "one": its pages .*"complete" has another name/)]
const CAPABILITIES = { tools: {}, prompts: {}, resources: {}, completions: {} }
const initialize = { protocolVersion: '2025-11-25', capabilities: CAPABILITIES }

/** Says its name, so that a test sees who was asked, and for what. */
const serverOf = (name: string): Results => ({
  initialize,
  'tools/list': {
    tools: [
      { name: `${name}_links`, inputSchema: { type: 'object' } },
      {
        name: `${name}_page`,
        inputSchema: { type: 'object' },
        _meta: { ui: { resourceUri: 'ui://shop/cart.html' } },
      },
      ...(name === 'one' ? [{ name: 'complete', inputSchema: { type: 'object' } }] : []),
    ],
  },
  'tools/call': {
    content: [
      { type: 'resource_link', uri: 'note://today', name: 'listed by both' },
      { type: 'resource_link', uri: 'file:///hidden.txt', name: 'listed by none' },
      { type: 'resource_link', uri: 'https://example.com/', name: 'public' },
      { type: 'resource', resource: { uri: 'note://day/1', text: 'embedded' } },
    ],
  },
  'prompts/list': {
    prompts: [
      { name: 'greet', title: null, arguments: [{ name: 'who', required: true }] },
      { name: `say hello/${name}` },
      { name: 'secret' },
    ],
  },
  'prompts/get': ({ name: prompt, arguments: args }) => ({
    messages: [
      { role: 'user', content: text(`${name} ${String(prompt)} ${JSON.stringify(args)}`) },
    ],
  }),
  'resources/list': {
    resources: [{ uri: 'note://today', name: 'today' }, { uri: 'note://secret' }],
  },
  'resources/templates/list': {
    resourceTemplates: [{ uriTemplate: 'note://day/{day}', name: 'day' }],
  },
  'resources/read': ({ uri }) => ({ contents: [{ uri, text: `${name} ${String(uri)}` }] }),
  'completion/complete': ({ ref }) => ({
    completion: { values: [name, JSON.stringify(ref)], hasMore: false },
  }),
})

let servers: Record<string, Results>
let configured: Record<string, object>
let entries: Map<string, Uint8Array>
let asked: string[]
let now: number

beforeEach(() => {
  servers = { one: serverOf('one'), two: serverOf('two') }
  configured = {
    one: { url: 'http://one.example/mcp', denied: ['secret', 'note://secret'] },
    two: { url: 'http://two.example/mcp', denied: ['secret', 'note://secret'] },
  }
  entries = new Map()
  asked = []
  now = 1_000_000
})

const platform = {
  openKeyValue: async () => ({
    get: async (key: string) => entries.get(key),
    set: async (key: string, value: string | Uint8Array) =>
      void entries.set(key, typeof value === 'string' ? new TextEncoder().encode(value) : value),
  }),
  variables: { get: () => JSON.stringify(configured) },
  now: () => now,
  async fetch(url: string, init: RequestInit) {
    const [, name = ''] = /\/\/(\w+)\./.exec(url) ?? []
    const { id, method, params } = JSON.parse(init.body as string) as Message
    asked.push(`${name} ${method}`)
    if (id === undefined) return new Response(null, { status: 202 })
    const result = servers[name]?.[method]
    if (!result) {
      const error = { code: -32601, message: 'Method not found' }
      return Response.json({ jsonrpc: '2.0', id, error })
    }
    const given: object = typeof result === 'function' ? (result as Result)(params) : result
    if ('listChanged' in given) return changed(id, given)
    return Response.json({ jsonrpc: '2.0', id, ...('error' in given ? given : { result: given }) })
  },
  waitUntil: () => undefined,
} as unknown as ContextPlatform

const component = toComponent({ tools }, 'remote')

async function ask(path: string, body?: object) {
  const init = body && {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  }
  const request = new Request(`http://remote.spin.internal${path}`, init)
  const response = await component.fetch(request, platform)
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

interface Offered {
  tools: { name: string; _meta?: unknown }[]
  prompts: { name: string }[]
  resources: { uri: string }[]
  resourceTemplates: { uriTemplate: string }[]
  completions?: boolean
  problems?: string[]
}

const offered = async () => (await ask('/')).body as unknown as Offered
const read = (uri: string) => ask(`/resources?uri=${encodeURIComponent(uri)}`)

describe('what two servers offer', () => {
  it('is listed under names and addresses that are not those of another one', async () => {
    const offer = await offered()
    expect(offer.prompts.map(({ name }) => name)).toEqual([
      ...['greet', 'say_hello_one'],
      ...['two__greet', 'say_hello_two'],
    ])
    expect(offer.prompts[0]).toEqual({
      name: 'greet',
      arguments: [{ name: 'who', required: true }],
    })
    expect(offer.resources.map(({ uri }) => uri)).toEqual([
      ...['note://today', 'remote://two/note://today'],
      ...['ui://shop/cart.html', 'ui://two/shop/cart.html'],
    ])
    expect(offer.resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      ...['note://day/{day}', 'remote://two/note://day/{day}', 'remote://{server}/{+uri}'],
    ])
    expect(offer.completions).toBe(true)
    expect(offer.problems).toEqual(RENAMED)
  })

  it('leads to the server that has it, by its own name and address', async () => {
    const said = async (name: string) =>
      JSON.stringify((await ask(`/prompts/${name}`, { who: 'Ada' })).body)
    expect(await said('greet')).toContain('one greet')
    expect(await said('two__greet')).toContain('two greet')
    expect(await said('say_hello_two')).toContain('two say hello/two')
    for (const [uri, says] of [
      ['note://today', 'one note://today'],
      ['remote://two/note://today', 'two note://today'],
      ['note://day/7', 'one note://day/7'],
      ['remote://two/note://day/7', 'two note://day/7'],
      ['remote://two/file:///hidden.txt', 'two file:///hidden.txt'],
      ['ui://two/shop/cart.html', 'two ui://shop/cart.html'],
    ] as const) {
      expect((await read(uri)).body).toEqual({ contents: [{ uri, text: says }] })
    }
  })

  it('cannot be used if it is denied, unknown, or asked for by a second address', async () => {
    for (const uri of [
      'note://secret',
      'remote://two/note://secret',
      'remote://one/note://secret',
      'remote://one/note://today',
      'remote://three/note://today',
      'note://other/1',
      '__proto__',
    ]) {
      expect([uri, (await read(uri)).status]).toEqual([uri, 404])
    }
    for (const name of ['secret', 'two__secret', 'constructor']) {
      expect((await ask(`/prompts/${name}`, {})).status).toBe(404)
    }
    expect(asked.filter((each) => /get|read/.test(each))).toEqual([])
  })

  it('has a whole address where the server lists a path or a space', async () => {
    const paths = ['/terraform/style-guide', 'file:///my notes.txt']
    servers['two'] = {
      ...serverOf('two'),
      'resources/list': { resources: paths.map((uri) => ({ uri, name: uri })) },
      'tools/call': {
        content: paths.map((uri) => ({ type: 'resource_link', uri, name: uri })),
      },
    }
    configured['two'] = { url: 'http://two.example/mcp' }
    const addresses = ['remote://two//terraform/style-guide', 'remote://two/file:///my%20notes.txt']
    const { resources, problems } = await offered()
    expect(resources.map(({ uri }) => uri)).toEqual(expect.arrayContaining(addresses))
    expect(problems).toEqual(RENAMED)
    const { content } = (await ask('/two_links', {})).body as { content: { uri: string }[] }
    expect(content.map(({ uri }) => uri)).toEqual(addresses)
    for (const [at, uri] of addresses.entries()) {
      const text = `two ${String(paths[at])}`
      expect((await read(uri)).body).toEqual({ contents: [{ uri, text }] })
    }
    // A second address of the same thing.
    expect((await read('remote://two/file:///my notes.txt')).status).toBe(404)
  })

  it('completes arguments', async () => {
    const argument = { name: 'who', value: 'A' }
    const values = async (ref: object) => (await ask('/complete', { ref, argument })).body
    expect(await values({ type: 'ref/prompt', name: 'two__greet' })).toEqual({
      completion: { values: ['two', '{"type":"ref/prompt","name":"greet"}'], hasMore: false },
    })
    expect(await values({ type: 'ref/resource', uri: 'remote://two/note://day/{day}' })).toEqual({
      completion: {
        values: ['two', '{"type":"ref/resource","uri":"note://day/{day}"}'],
        hasMore: false,
      },
    })
    expect(
      (await ask('/complete', { ref: { type: 'ref/prompt', name: 'none' }, argument })).status,
    ).toBe(404)
  })

  it('has links in results that lead back to it', async () => {
    const links = async (tool: string) => {
      const { content } = (await ask(`/${tool}`, {})).body as {
        content: { uri?: string; resource?: { uri: string } }[]
      }
      return content.map(({ uri, resource }) => uri ?? resource?.uri)
    }
    const publicOne = 'https://example.com/'
    expect(await links('one_links')).toEqual([
      ...['note://today', 'remote://one/file:///hidden.txt', publicOne, 'note://day/1'],
    ])
    expect(await links('two_links')).toEqual([
      ...['remote://two/note://today', 'remote://two/file:///hidden.txt'],
      ...[publicOne, 'remote://two/note://day/1'],
    ])
  })

  it('has pages of MCP Apps under the address that its tool names', async () => {
    const { tools: listed } = await offered()
    const page = (name: string) => listed.find((tool) => tool.name === name)?._meta
    expect(page('one_page')).toEqual({ ui: { resourceUri: 'ui://shop/cart.html' } })
    expect(page('two_page')).toEqual({ ui: { resourceUri: 'ui://two/shop/cart.html' } })
  })

  it('has no tool at the address of something else', async () => {
    expect((await offered()).tools.map(({ name }) => name)).toContain('one__complete')
    expect((await ask('/one__complete', {})).status).toBe(200)
  })
})

describe('a server that would be another one', () => {
  const only = (more: Results): Results => ({
    ...serverOf('one'),
    'resources/list': { resources: [] },
    'resources/templates/list': { resourceTemplates: [] },
    ...more,
  })

  it.each([
    ['a resource', { 'resources/list': { resources: [{ uri: 'remote://two/file:///a' }] } }],
    [
      'a template for every address',
      { 'resources/templates/list': { resourceTemplates: [{ uriTemplate: '{+all}', name: 'a' }] } },
    ],
    [
      'a template with its name',
      {
        'resources/templates/list': {
          resourceTemplates: [{ uriTemplate: 'remote://two/{+all}', name: 'a' }],
        },
      },
    ],
    [
      'a template for each name',
      {
        'resources/templates/list': {
          resourceTemplates: [{ uriTemplate: 'remote://{server}/file:///a', name: 'a' }],
        },
      },
    ],
  ])('does not get what is asked of that one by %s', async (_, more) => {
    servers['one'] = only(more)
    await offered()
    expect(JSON.stringify((await read('remote://two/file:///a')).body)).toContain('two file:///a')
  })

  it('has no template for the addresses of other components', async () => {
    const forms = ['{+all}', 'n{x}:{+all}', 'note://{+all}']
    servers['one'] = only({
      'resources/templates/list': {
        resourceTemplates: forms.map((uriTemplate) => ({ uriTemplate, name: 'a' })),
      },
    })
    const { resourceTemplates } = await offered()
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate).slice(0, 3)).toEqual([
      'remote://one/{+all}',
      'remote://one/n{x}:{+all}',
      'note://{+all}',
    ])
  })

  it('has no page of an MCP App in its place', async () => {
    servers['one'] = only({
      'resources/list': {
        resources: [{ uri: 'ui://shop/cart.html' }, { uri: 'ui://two/shop/cart.html' }],
      },
    })
    const { tools: listed } = await offered()
    const page = listed.find(({ name }) => name === 'two_page')?._meta as {
      ui: { resourceUri: string }
    }
    const { body } = await read(page.ui.resourceUri)
    expect(JSON.stringify(body)).toContain('two ui://shop/cart.html')
    expect((await offered()).resources.map(({ uri }) => uri)).toContain(
      'ui://one/two/shop/cart.html',
    )
  })

  it('has a template of pages whose address is its own', async () => {
    const template = {
      'resources/templates/list': {
        resourceTemplates: [{ uriTemplate: 'ui://pages/{page}', name: 'page' }],
      },
    }
    servers = { one: only(template), two: { ...serverOf('two'), ...template } }
    await offered()
    const { body } = await read('ui://two/pages/cart')
    expect(JSON.stringify(body)).toContain('two ui://pages/cart')
  })

  it('has no names that are those of objects', async () => {
    servers['one'] = { ...serverOf('one'), 'prompts/list': { prompts: [{ name: '__proto__' }] } }
    const { prompts } = await offered()
    expect(prompts.map(({ name }) => name)).toContain('__proto__')
    expect(JSON.stringify((await ask('/prompts/__proto__', {})).body)).toContain('one __proto__')
  })
})

describe('what is denied or listed', () => {
  it.each([
    'note://%73ecret',
    'note://SECRET',
    'note://secret#x',
    'note://secret?x=1',
    'note://%74oday',
    'note://d%61y/7',
  ])('is not read by another form of its address: %s', async (own) => {
    expect((await read(`remote://two/${own}`)).status).toBe(404)
    expect(asked).not.toContain('two resources/read')
  })

  it('is not the page of a tool either', async () => {
    configured['one'] = { url: 'http://one.example/mcp', denied: ['ui://shop/cart.html'] }
    await offered()
    const { body } = await read('ui://shop/cart.html')
    expect(JSON.stringify(body)).toContain('two ui://shop/cart.html')
  })

  it('by a template that another server covers is read by its own address', async () => {
    servers['one'] = {
      ...serverOf('one'),
      'resources/templates/list': {
        resourceTemplates: [{ uriTemplate: 'note://day/{+all}', name: 'all' }],
      },
    }
    await offered()
    const { body } = await read('remote://two/note://day/7')
    expect(JSON.stringify(body)).toContain('two note://day/7')
  })
})

describe('a server', () => {
  it('that has only tools is asked for nothing else', async () => {
    configured = { one: { url: 'http://one.example/mcp' } }
    servers['one'] = {
      ...serverOf('one'),
      initialize: { ...initialize, capabilities: { tools: {} } },
    }
    const offer = await offered()
    expect(offer).not.toHaveProperty('prompts')
    expect(offer).not.toHaveProperty('resourceTemplates')
    expect(asked.filter((each) => /prompts|resources/.test(each))).toEqual([])
  })

  it('that has only prompts is listed without tools', async () => {
    const { 'tools/list': _, ...rest } = serverOf('one')
    servers['one'] = { ...rest, initialize: { ...initialize, capabilities: { prompts: {} } } }
    configured = { one: { url: 'http://one.example/mcp' } }
    const offer = await offered()
    expect(offer.tools).toEqual([])
    expect(offer.prompts).toHaveLength(3)
    expect(offer.problems).toBeUndefined()
  })

  it('whose list of prompts fails keeps its tools, and says so', async () => {
    servers['one'] = {
      ...serverOf('one'),
      'prompts/list': { error: { code: -32603, message: 'no' } },
    }
    const offer = await offered()
    expect(offer.tools.map(({ name }) => name)).toContain('one_links')
    expect(offer.problems?.join()).toMatch(/server "one": its prompts cannot be listed/)
  })

  it('that says it lacks a resource is believed, and another failure is told', async () => {
    const refusing = (code: number) => {
      servers['one'] = {
        ...serverOf('one'),
        'resources/read': { error: { code, message: 'gone fishing' } },
      }
    }
    refusing(-32002)
    expect((await read('note://today')).status).toBe(404)
    refusing(-32603)
    const { status, body } = await read('note://today')
    expect(status).toBe(400)
    expect(JSON.stringify(body)).toMatch(/The server \\"one\\" .*gone fishing/)
  })

  it('that asks the client something gets its answer', async () => {
    const inputRequests = { who: { method: 'elicitation/create', params: {} } }
    servers['one'] = {
      ...serverOf('one'),
      'prompts/get': ({ inputResponses }) =>
        inputResponses
          ? { messages: [{ role: 'user', content: text(JSON.stringify(inputResponses)) }] }
          : { resultType: 'input_required', inputRequests },
    }
    expect((await ask('/prompts/greet', { who: 'x' })).body).toMatchObject({ inputRequests })
  })

  it('whose templates take long to compare loses them', async () => {
    const uriTemplate = `a:${'{+x}'.repeat(20)}`
    servers['one'] = {
      ...serverOf('one'),
      'resources/templates/list': {
        resourceTemplates: [
          { uriTemplate, name: 'slow' },
          { uriTemplate: 'b:{x}-{y}-{z}', name: 'slow, too' },
          { uriTemplate: 'c:{x*}/{y*}', name: 'slow as well' },
          {
            uriTemplate: 'repo://{owner}/{repo}/refs/{sha}/contents{/path*}',
            name: 'as GitHub has it',
          },
          { uriTemplate: 'files://{path*}{?encoding}', name: 'as FastMCP has it' },
        ],
      },
    }
    configured = { one: { url: 'http://one.example/mcp' } }
    const { resourceTemplates, problems } = await offered()
    expect(resourceTemplates).toHaveLength(3)
    expect(problems?.join()).toContain('3 of its resource templates')
  })

  it('that changes its list during a call is asked again', async () => {
    await offered()
    const before = asked.length
    await offered()
    expect(asked.length).toBe(before)
    servers['one'] = {
      ...serverOf('one'),
      'tools/call': { content: [text('changed')], listChanged: true },
    }
    await ask('/one_links', {})
    await offered()
    expect(asked.filter((each) => each === 'one tools/list')).toHaveLength(2)
  })
})

/** The result of a call, with a notification before it. */
function changed(id: number, result: object): Response {
  const notice = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' }
  const events = [notice, { jsonrpc: '2.0', id, result }].map(
    (message) => `data: ${JSON.stringify(message)}\n\n`,
  )
  const headers = { 'content-type': 'text/event-stream' }
  return new Response(events.join(''), { headers })
}
