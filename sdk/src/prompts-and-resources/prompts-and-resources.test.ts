import { memoryPlatform } from 'ftl-platform/memory'
import { describe, expect, it, vi } from 'vitest'
import {
  createPrompt,
  createResource,
  createTool,
  createTools,
  ToolError,
  ToolResponse,
} from '../index.ts'
import { toComponent } from '../serve/component.ts'

const tool = createTool({ metadata: { name: 'a' }, handler: () => 'A' })
const review = createPrompt({
  metadata: { name: 'review', arguments: { code: { required: true }, lines: {} } },
  handler: ({ code, lines }, context) => {
    if (code === 'bad') throw new ToolError('cannot be reviewed')
    if (code === 'ask' && !context.inputResponses) return ToolResponse.inputRequired({}, 'state')
    return [
      `Review ${code} ${lines ?? 'all'}`,
      { role: 'assistant', content: { type: 'text', text: 'Yes' } },
    ]
  },
})
const note = createResource({
  metadata: { uriTemplate: 'note://{day}/{+path}', name: 'A note', mimeType: 'text/plain' },
  handler: ({ day, path }, { uri }) => (day === 'none' ? undefined : `${day}|${path}|${uri}`),
})
const fixed = createResource({
  metadata: { uri: 'note://today/list', name: 'Today' },
  handler: () => ({ all: [] }),
})

async function ask(method: string, path: string, body?: unknown, headers: HeadersInit = {}) {
  const component = toComponent(
    { tools: createTools([tool]), prompts: [review], resources: [note, fixed] },
    'a',
  )
  const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
  const response = await component.fetch(
    new Request(`http://a.spin.internal${path}`, init),
    memoryPlatform(),
  )
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}
const reading = (uri: string) => ask('GET', `/resources?uri=${encodeURIComponent(uri)}`)

it('a component offers its prompts and resources beside its tools', async () => {
  expect((await ask('GET', '/')).body).toEqual({
    tools: [tool.description],
    prompts: [{ name: 'review', arguments: [{ name: 'code', required: true }, { name: 'lines' }] }],
    resources: [{ uri: 'note://today/list', name: 'Today' }],
    resourceTemplates: [
      { uriTemplate: 'note://{day}/{+path}', name: 'A note', mimeType: 'text/plain' },
    ],
  })
  expect((await ask('POST', '/a', {})).body).toEqual({ content: [{ type: 'text', text: 'A' }] })
})

describe('a prompt', () => {
  it('makes messages of texts', async () => {
    const { body } = await ask('POST', '/prompts/review', { code: 'x', lines: '5' })
    expect(body['messages']).toEqual([
      { role: 'user', content: { type: 'text', text: 'Review x 5' } },
      { role: 'assistant', content: { type: 'text', text: 'Yes' } },
    ])
  })

  it.each([
    [{}, 'code: is required'],
    [{ code: 5 }, 'code: expected string, got number'],
    [{ code: 'bad' }, 'cannot be reviewed'],
  ])('refuses %j in its own words', async (args, message) => {
    const { status, body } = await ask('POST', '/prompts/review', args)
    expect([status, body['error']]).toMatchObject([400, { message }])
  })

  it('may ask the client, and is asked again', async () => {
    const first = await ask('POST', '/prompts/review', { code: 'ask' })
    expect(first.body).toMatchObject({ resultType: 'input_required', requestState: 'state' })
    const envelope = { arguments: { code: 'ask' }, inputResponses: {}, requestState: 'state' }
    const type = { 'content-type': 'application/vnd.ftl.call+json' }
    expect((await ask('POST', '/prompts/review', envelope, type)).body).toHaveProperty('messages')
  })

  it('that returns what it may not says so in the log', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const odd = createPrompt({ metadata: { name: 'odd' }, handler: () => 5 as never })
    const request = new Request('http://a.spin.internal/prompts/odd', {
      method: 'POST',
      body: '{}',
    })
    const { status } = await toComponent({ prompts: [odd] }, 'a').fetch(request, memoryPlatform())
    expect(status).toBe(500)
    expect(log.mock.calls.join()).toContain('prompt "odd" returned number. Return a string')
    log.mockRestore()
  })
})

describe('a resource', () => {
  it('has the variables of its uri, decoded', async () => {
    const uri = 'note://to%20day/a/b%2Fc'
    expect((await reading(uri)).body).toEqual({
      contents: [{ uri, mimeType: 'text/plain', text: `to day|a/b/c|${uri}` }],
    })
  })

  it('with a fixed uri goes before a template', async () => {
    expect((await reading('note://today/list')).body).toEqual({
      contents: [{ uri: 'note://today/list', mimeType: 'application/json', text: '{"all":[]}' }],
    })
  })

  it.each(['note://none/x', 'note://day', 'other://a/b', 'note://%/x', ''])(
    '%s is not there',
    async (uri) => {
      expect((await reading(uri)).status).toBe(404)
    },
  )
})

it.each([
  ['GET', '/prompts/review', 405],
  ['POST', '/prompts/gone', 404],
  ['DELETE', '/resources?uri=a:b', 405],
  ['GET', '/complete', 405],
])('%s %s is answered %i', async (method, path, status) => {
  expect((await ask(method, path, method === 'POST' ? {} : undefined)).status).toBe(status)
})
