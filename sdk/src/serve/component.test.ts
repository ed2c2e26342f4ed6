import { memoryPlatform } from 'ftl-platform/memory'
import { describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import * as z3 from 'zod3'
import type { JobRecord } from 'ftl-contract'
import { createTool } from '../tool/create-tool.ts'
import { createTools } from '../tool/create-tools.ts'
import { ToolError } from '../tool/errors.ts'
import { ToolResponse } from '../tool/answer-builders.ts'
import { type ComponentEntry, toComponent } from './component.ts'

const ID = '0b8ec6b4-7f6e-4a39-9a3b-0f9a2d9d6f10'

const greet = createTool({
  metadata: {
    name: 'greet',
    description: 'Says hello',
    inputSchema: z.object({ name: z.string().min(1), times: z.number().int().default(1) }),
  },
  handler: ({ name, times }) => ToolResponse.text(`Hello, ${name}! `.repeat(times).trim()),
})

function ask(
  entry: ComponentEntry,
  method: string,
  path: string,
  body?: unknown,
  headers?: HeadersInit,
) {
  const init: RequestInit = { method, ...(headers ? { headers } : {}) }
  if (body !== undefined) init.body = typeof body === 'string' ? body : JSON.stringify(body)
  const request = new Request(`http://tools.spin.internal${path}`, init)
  return toComponent(entry, 'built-as').fetch(request, memoryPlatform())
}

describe('a component with one tool', () => {
  it('describes it as one object', async () => {
    const response = await ask({ tool: greet }, 'GET', '/')
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({
      name: 'greet',
      description: 'Says hello',
      inputSchema: {
        type: 'object',
        properties: { name: { type: 'string', minLength: 1 } },
        required: ['name'],
      },
    })
  })

  it.each(['/', '/greet'])('answers POST %s', async (path) => {
    const response = await ask({ tool: greet }, 'POST', path, { name: 'Ada' })
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ content: [{ type: 'text', text: 'Hello, Ada!' }] })
  })

  it.each([undefined, { 'content-length': '20' }])(
    'takes a body in pieces, its length announced or not: %j',
    async (headers) => {
      const bytes = new TextEncoder().encode('{"name":"Zoë 🐉"}')
      const parts = [...bytes].map((byte) => new Uint8Array([byte]))
      const body = new ReadableStream({
        pull(controller) {
          const part = parts.shift()
          if (part) controller.enqueue(part)
          else controller.close()
        },
      })
      const init = { method: 'POST', body, duplex: 'half', ...(headers && { headers }) }
      const request = new Request('http://tools.spin.internal/', init)
      const response = await toComponent({ tool: greet }, 'greet').fetch(request, memoryPlatform())
      expect(await response.json()).toMatchObject({ content: [{ text: 'Hello, Zoë 🐉!' }] })
    },
  )

  it('names path and rule of arguments that do not fit', async () => {
    const response = await ask({ tool: greet }, 'POST', '/', { name: '', times: 1.5 })
    expect(response.status).toBe(400)
    const result = (await response.json()) as { isError: boolean; content: { text: string }[] }
    expect(result.isError).toBe(true)
    expect(result.content[0]?.text).toMatch(/^name: .*1 char/m)
    expect(result.content[0]?.text).toMatch(/^times: .*int/m)
  })

  it.each([['[1]'], ['"x"'], ['null'], ['{']])('refuses the body %s', async (body) => {
    const response = await ask({ tool: greet }, 'POST', '/', body)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ isError: true })
  })

  it('knows no other path or method', async () => {
    expect((await ask({ tool: greet }, 'POST', '/other', {})).status).toBe(404)
    const response = await ask({ tool: greet }, 'PUT', '/', {})
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('GET, POST')
  })
})

describe('a component with several tools', () => {
  const second = createTool({ metadata: { name: 'second' }, handler: () => 'two' })
  const entry = { tools: createTools([greet, second]) }

  it('describes them as an array, in their order', async () => {
    const tools = (await (await ask(entry, 'GET', '/')).json()) as { name: string }[]
    expect(tools.map(({ name }) => name)).toEqual(['greet', 'second'])
  })

  it('calls each by its path, and none at the root', async () => {
    expect(await (await ask(entry, 'POST', '/second', '')).json()).toEqual({
      content: [{ type: 'text', text: 'two' }],
    })
    expect((await ask(entry, 'POST', '/', {})).status).toBe(405)
  })
})

describe('a handler that fails', () => {
  it('shows the message of a ToolError as a tool result', async () => {
    const tool = createTool({
      metadata: { name: 't' },
      handler: () => {
        throw new ToolError('not on a Sunday')
      },
    })
    const response = await ask({ tool }, 'POST', '/', {})
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({
      content: [{ type: 'text', text: 'not on a Sunday' }],
      isError: true,
    })
  })

  it('keeps any other error for the log', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const tool = createTool({
      metadata: { name: 't' },
      handler: () => {
        throw new Error('password=1234')
      },
    })
    const response = await ask({ tool }, 'POST', '/', {})
    expect(response.status).toBe(500)
    expect(await response.text()).not.toContain('1234')
    expect(log.mock.calls.flat().join(' ')).toContain('1234')
    log.mockRestore()
  })
})

describe('a tool that starts a job', () => {
  const record: JobRecord = {
    id: ID,
    component: 'tools',
    tool: 'slow',
    status: 'working',
    seq: 1,
    createdAt: '2026-01-01T00:00:00Z',
    updatedAt: '2026-01-01T00:00:00Z',
    expiresAt: '2026-01-02T00:00:00Z',
    pollIntervalMs: 10,
  }
  const done: JobRecord = { ...record, seq: 2, status: 'completed', result: { content: [] } }
  let looks = 0
  const slow = createTool({
    metadata: { name: 'slow' },
    handler: (_, { component, principal }) =>
      ToolResponse.job({ ...record, component, ...(principal ? { owner: principal } : {}) }),
  })
  const entry = {
    tools: createTools([slow], {
      jobs: {
        get: async (id) => (id !== ID ? undefined : ++looks < 3 ? record : done),
        cancel: async () => ({ ...record, status: 'cancelled' as const }),
      },
      output: async (file) => new Response(file),
    }),
  }

  it('answers 202 at once where the caller prefers that', async () => {
    const response = await ask(
      entry,
      'POST',
      '/slow',
      {},
      {
        prefer: 'respond-async, wait=10',
        'ftl-principal': 'ada',
      },
    )
    expect(response.status).toBe(202)
    expect(response.headers.get('location')).toBe(`/jobs/${ID}`)
    expect(await response.json()).toEqual({ job: { ...record, owner: 'ada' } })
  })

  it('waits for the end where it does not', async () => {
    looks = 0
    const response = await ask(entry, 'POST', '/slow', {})
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ content: [] })
    expect(looks).toBe(3)
  })

  it('gives up waiting before the deadline', async () => {
    looks = -1_000_000
    const response = await ask(entry, 'POST', '/slow', {}, { 'ftl-deadline': '600' })
    expect(await response.json()).toMatchObject({ isError: true })
  })

  it('serves the record, its cancelling and its files', async () => {
    looks = 0
    expect(await (await ask(entry, 'GET', `/jobs/${ID}`)).json()).toEqual(record)
    expect(await (await ask(entry, 'DELETE', `/jobs/${ID}`)).json()).toMatchObject({
      status: 'cancelled',
    })
    expect(await (await ask(entry, 'GET', `/outputs/${ID}.png`)).text()).toBe(`${ID}.png`)
  })

  it.each([
    ['GET', '/jobs/no-id'],
    ['GET', '/jobs/11111111-1111-1111-1111-111111111111'],
    ['GET', '/outputs/..%2f..%2fetc'],
  ])('answers 404 to %s %s', async (method, path) => {
    expect((await ask(entry, method, path)).status).toBe(404)
  })
})

describe('an entry module', () => {
  it('may answer everything itself', async () => {
    const entry = { default: { fetch: () => new Response('mine') } }
    expect(await (await ask(entry, 'GET', '/')).text()).toBe('mine')
  })

  it('must export something that can be served', () => {
    expect(() => toComponent({}, 'empty')).toThrow(/component "empty": its entry must export/)
  })
})

describe('createTool', () => {
  it('describes Zod 3 and plain JSON Schema too', () => {
    const three = createTool({
      metadata: { name: 'a', inputSchema: z3.object({ n: z3.number().max(5) }) },
      handler: ({ n }) => String(n satisfies number),
    })
    expect(three.description.inputSchema).toMatchObject({
      type: 'object',
      properties: { n: { type: 'number', maximum: 5 } },
      required: ['n'],
    })
    const schema = { type: 'object', $defs: { x: { type: 'string' } }, additionalProperties: false }
    const plain = createTool({ metadata: { name: 'b', inputSchema: schema }, handler: () => '' })
    expect(plain.description.inputSchema).toEqual(schema)
  })

  it('publishes an empty closed object for a tool without arguments', () => {
    const tool = createTool({ metadata: { name: 'a' }, handler: () => '' })
    expect(tool.description.inputSchema).toEqual({
      type: 'object',
      properties: {},
      additionalProperties: false,
    })
  })

  it.each(['', 'has space', 'ü', 'x'.repeat(65)])('refuses the name "%s"', (name) => {
    expect(() => createTool({ metadata: { name }, handler: () => '' })).toThrow(/tool name/)
  })

  it('refuses a root that is not an object', () => {
    expect(() =>
      createTool({ metadata: { name: 'a', inputSchema: z.string() }, handler: () => '' }),
    ).toThrow(/tool "a": inputSchema: the root must have "type": "object"/)
  })
})

it('refuses two tools of one name in a component', () => {
  expect(() => createTools([greet, greet])).toThrow('named "greet"')
})
