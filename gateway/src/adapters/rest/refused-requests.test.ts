// Everything that is wrong with a request, with the status, the code and the field it is answered with.
import { describe, expect, it } from 'vitest'
import { type Component, createWorld, foreign, text, tool } from '../../testing/components.ts'
import { send } from '../../testing/rest.ts'

const never: Component = (request) =>
  request.method === 'GET' ? Response.json(tool('hangs')) : new Promise<Response>(() => {})

const world = () =>
  createWorld({
    variables: { call_timeout_ms: '50' },
    components: {
      sized: foreign(
        tool(
          'sized',
          {
            size: { type: 'object', properties: { width: { type: 'integer' } } },
            tags: { type: 'array', items: { type: 'string' } },
          },
          ['size'],
        ),
        () => text('done'),
      ),
      crashes: foreign(tool('crashes'), () => new Response('secret-stack', { status: 500 })),
      odd: foreign(tool('odd'), () => Response.json({ secret: 1 })),
      asks: foreign(tool('asks'), () =>
        Response.json({ resultType: 'input_required', requestState: 'x' }),
      ),
      unusable: foreign(
        { name: 'unusable', inputSchema: { type: 'object', properties: { a: { pattern: '(' } } } },
        () => text('done'),
      ),
      gone: (request) => {
        if (request.method === 'GET') return Response.json(tool('gone'))
        throw new TypeError('secret-address')
      },
      hangs: never,
    },
  })

const openAi = (call: unknown, more: object = {}) => ({ type: 'function', function: call, ...more })
const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
const listed = (id: unknown) => ({ id, ...openAi({ name: 'sized', arguments: '{}' }) })

type Row = [body: unknown, status: number, code: string, field?: string]

const ROWS: Row[] = [
  ['{"tool":', 400, 'invalid_json'],
  ['', 400, 'invalid_request'],
  ['null', 400, 'invalid_request'],
  ['5', 400, 'invalid_request'],
  ['"echo"', 400, 'invalid_request'],
  ['{}', 400, 'invalid_request'],
  ['{"__proto__":{"tool":"sized"}}', 400, 'invalid_request'],
  ['{"constructor":"sized"}', 400, 'invalid_request'],
  [`{"tool":"sized","params":{"a":${deep(80)}}}`, 400, 'invalid_request'],
  [`{"tool":"sized","params":"${'x'.repeat(4 * 1024 * 1024)}"}`, 413, 'body_too_large'],
  [
    '{"tool":"sized","params":{"size":{"width":1e400}}}',
    400,
    'invalid_request',
    'params.size.width',
  ],
  [{ tool: 5 }, 400, 'invalid_request', 'tool'],
  [{ tool: '' }, 400, 'invalid_request', 'tool'],
  [{ tool: null }, 400, 'invalid_request', 'tool'],
  [{ tool: ['sized'] }, 400, 'invalid_request', 'tool'],
  [{ tool: 'sized', params: [] }, 400, 'invalid_request', 'params'],
  [{ tool: 'sized', params: 'x' }, 400, 'invalid_request', 'params'],
  [{ tool: 'nothing' }, 404, 'tool_not_found'],
  [{ tool: '__proto__' }, 404, 'tool_not_found'],
  [{ tool: 'constructor' }, 404, 'tool_not_found'],
  [{ tool: 'hasOwnProperty', params: {} }, 404, 'tool_not_found'],
  [{ tool: '../jobs' }, 404, 'tool_not_found'],
  [{ tool: 'SIZED' }, 404, 'tool_not_found'],
  [{ tool: 'sized' }, 400, 'invalid_arguments', 'params.size'],
  [{ tool: 'sized', params: null }, 400, 'invalid_arguments', 'params.size'],
  [{ tool: 'sized', params: { size: 5 } }, 400, 'invalid_arguments', 'params.size'],
  [
    { tool: 'sized', params: { size: { width: 1.5 } } },
    400,
    'invalid_arguments',
    'params.size.width',
  ],
  [
    { tool: 'sized', params: { size: {}, tags: ['a', 2] } },
    400,
    'invalid_arguments',
    'params.tags[1]',
  ],
  [{ name: 5 }, 400, 'invalid_request', 'name'],
  [{ name: 'sized', arguments: '{}' }, 400, 'invalid_request', 'arguments'],
  [{ name: 'sized', arguments: {} }, 400, 'invalid_arguments', 'arguments.size'],
  [{ name: 'nothing' }, 404, 'tool_not_found'],
  [{ method: 'tools/list' }, 400, 'invalid_request', 'method'],
  [{ method: 'tools/call' }, 400, 'invalid_request', 'params'],
  [{ method: 'tools/call', params: {} }, 400, 'invalid_request', 'params.name'],
  [
    { method: 'tools/call', params: { name: 'sized', arguments: 1 } },
    400,
    'invalid_request',
    'params.arguments',
  ],
  [openAi(undefined), 400, 'invalid_request', 'function'],
  [openAi('sized'), 400, 'invalid_request', 'function'],
  [openAi({}), 400, 'invalid_request', 'function.name'],
  [openAi({ name: 'sized', arguments: '{' }), 400, 'invalid_json', 'function.arguments'],
  [openAi({ name: 'sized', arguments: '[]' }), 400, 'invalid_request', 'function.arguments'],
  [openAi({ name: 'sized', arguments: '"a"' }), 400, 'invalid_request', 'function.arguments'],
  [openAi({ name: 'sized', arguments: 5 }), 400, 'invalid_request', 'function.arguments'],
  [
    openAi({ name: 'sized', arguments: `{"a":${deep(80)}}` }),
    400,
    'invalid_request',
    'function.arguments',
  ],
  [openAi({ name: 'sized', arguments: '{}' }), 400, 'invalid_arguments', 'function.arguments.size'],
  [openAi({ name: 'nothing', arguments: '{}' }), 404, 'tool_not_found'],
  [openAi({ name: 'x_01234567', arguments: '{}' }), 404, 'tool_not_found'],
  [openAi({ name: 'sized' }, { type: 'custom' }), 400, 'invalid_request', 'type'],
  [[], 400, 'invalid_request'],
  [{ tool_calls: [] }, 400, 'invalid_request', 'tool_calls'],
  [{ tool_calls: {} }, 400, 'invalid_request', 'tool_calls'],
  [[5], 400, 'invalid_request', '[0].id'],
  [[listed(undefined)], 400, 'invalid_request', '[0].id'],
  [{ tool_calls: [listed('a'), listed(7)] }, 400, 'invalid_request', 'tool_calls[1].id'],
  [Array.from({ length: 51 }, (_, id) => listed(String(id))), 400, 'invalid_request'],
  [{ tool: 'crashes' }, 502, 'tool_failed'],
  [{ tool: 'odd' }, 502, 'tool_failed'],
  [{ tool: 'asks' }, 502, 'input_required'],
  [{ tool: 'unusable', params: { a: 'b' } }, 502, 'tool_unusable'],
  [{ tool: 'gone' }, 502, 'component_unavailable'],
  [{ tool: 'hangs' }, 504, 'timeout'],
]

describe('POST /invoke', () => {
  const short = (body: unknown) => JSON.stringify(body).slice(0, 80)
  it.each(ROWS.map((row) => [short(row[0]), ...row] as const))(
    'refuses %s',
    async (_, body, status, code, field) => {
      const seen = await send(world(), '/invoke', { body })
      expect(seen.status).toBe(status)
      const error = seen.body.error as Record<string, unknown>
      expect(Object.keys(seen.body)).toEqual(['error'])
      expect({ code: error.code, field: error.field }).toEqual({ code, field })
      expect(error.message).toMatch(/^\S.*\.$/)
      expect(error.requestId).toBe(seen.headers.get('x-request-id'))
      expect(JSON.stringify(seen.body)).not.toContain('secret')
    },
  )

  it('names every rule the arguments break', async () => {
    const body = { tool: 'sized', params: { size: { width: 'a' }, tags: [1] } }
    const { error } = (await send(world(), '/invoke', { body })).body as {
      error: { errors: object[] }
    }
    expect(error).toMatchObject({ tool: 'sized' })
    expect(error.errors).toMatchObject([{ path: 'size.width' }, { path: 'tags[0]' }])
  })

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/jsonx',
  ])('is 415 for %s', async (type) => {
    const headers = { 'content-type': type }
    const { status, body } = await send(world(), '/invoke', { body: { tool: 'sized' }, headers })
    expect(status).toBe(415)
    expect(body.error).toMatchObject({ code: 'unsupported_media_type' })
  })

  it.each(['application/json; charset=utf-8', 'application/vnd.api+json'])(
    'takes %s',
    async (type) => {
      const headers = { 'content-type': type }
      const body = { tool: 'sized', params: { size: {} } }
      expect((await send(world(), '/invoke', { body, headers })).status).toBe(200)
    },
  )
})

describe('any of these paths', () => {
  it.each([
    ['GET', '/invoke', 'POST'],
    ['PUT', '/invoke', 'POST'],
    ['DELETE', '/tools', 'GET, HEAD'],
    ['POST', '/tools', 'GET, HEAD'],
    ['PUT', '/tools/sized', 'GET, HEAD, POST'],
    ['POST', '/openapi.json', 'GET, HEAD'],
    ['POST', '/docs', 'GET, HEAD'],
  ])('%s %s is 405 and says what is allowed', async (method, path, allow) => {
    const { status, headers, body } = await send(world(), path, { method })
    expect(status).toBe(405)
    expect(headers.get('allow')).toBe(allow)
    expect(body.error).toMatchObject({ code: 'method_not_allowed' })
  })

  it.each([
    ['/tools', 'GET'],
    ['/invoke', 'POST'],
    ['/tools/sized', 'POST'],
    ['/openapi.json', 'GET'],
    ['/docs', 'GET'],
  ])('%s is closed to pages of other origins and other names', async (path, method) => {
    const page = await send(world(), path, { method, headers: { origin: 'https://evil.example' } })
    expect(page.status).toBe(403)
    const request = new Request(`http://rebound.example${path}`, { method })
    expect((await world().send(request)).status).toBe(403)
  })

  it.each([['"x"'], ['[]'], ['5'], ['null']])(
    'POST /tools/{name} refuses the body %s',
    async (body) => {
      const seen = await send(world(), '/tools/sized', { body })
      expect(seen.status).toBe(400)
      expect(seen.body.error).toMatchObject({ code: 'invalid_request' })
    },
  )

  it('POST /tools/{name} names the argument alone', async () => {
    const seen = await send(world(), '/tools/sized', { body: { size: { width: 'a' } } })
    expect(seen.body.error).toMatchObject({ code: 'invalid_arguments', field: 'size.width' })
  })
})
