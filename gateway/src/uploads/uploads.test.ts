import { expect, test } from 'vitest'
import { as, keys } from '../testing/api-keys.ts'
import { auditLog } from '../testing/audit-log.ts'
import { createWorld, text, tool } from '../testing/components.ts'

const { printed, begun, entries } = auditLog()

const UPLOADED = { uri: '/uploads/x', bytes: 3 }

/** A component whose tool takes uploads. */
function world(answer: () => Response, variables: Record<string, string> = {}) {
  const asked: { url: string; body: string; principal: string | null }[] = []
  const made = createWorld({
    variables,
    components: {
      echo: (request) =>
        request.method === 'GET' ? Response.json([tool('echo')]) : Response.json(text('x')),
      files: async (request) => {
        if (request.method === 'GET') {
          return Response.json([{ ...tool('upload_image'), _meta: { 'ftl/uploads': true } }])
        }
        const principal = request.headers.get('ftl-principal')
        asked.push({ url: request.url, body: await request.text(), principal })
        return answer()
      },
    },
  })
  const send = (init: RequestInit = {}) =>
    made.send(
      new Request('http://localhost:3000/uploads?name=a%26b.mp4', { method: 'POST', ...init }),
    )
  return { asked, send }
}

test('a file goes to the component whose tool takes uploads, and its answer comes back', async () => {
  const { asked, send } = world(() => Response.json(UPLOADED, { status: 201 }))
  const response = await send({ body: 'abc', headers: { 'content-length': '3' } })
  expect([response.status, await response.json()]).toEqual([201, UPLOADED])
  expect(asked).toEqual([
    {
      url: 'http://files.spin.internal/uploads/?name=a%26b.mp4&length=3',
      body: 'abc',
      principal: null,
    },
  ])
})

test.each([
  ['a refusal', 415, { error: { code: 'unsupported_file', message: 'Send a video.' } }, 415],
  ['an answer that is no refusal', 302, { error: { code: 'x', message: 'y' } }, 502],
  ['an answer that is no object', 201, [], 502],
  ['an error without words', 400, { error: 'x' }, 502],
])(
  '%s of the component is passed on, or said to be a failure',
  async (_, status, body, expected) => {
    const { send } = world(() => Response.json(body, { status }))
    const response = await send({ body: 'abc' })
    expect(response.status).toBe(expected)
    const shown = expected === 415 ? body : { error: { code: 'component_unavailable' } }
    expect(await response.json()).toMatchObject(shown)
  },
)

test('a server behind a component that passes its tools on does not get the files', async () => {
  const marked = { ...tool('upload_image'), _meta: { 'ftl/uploads': true, 'acme/kept': 1 } }
  const made = createWorld({
    components: {
      remote: () => Response.json({ tools: [marked], relays: true }),
      echo: () => Response.json([tool('echo')]),
    },
  })
  const response = await made.send(
    new Request('http://localhost:3000/uploads', { method: 'POST', body: 'abc' }),
  )
  expect([response.status, await response.json()]).toMatchObject([
    404,
    { error: { code: 'no_uploads' } },
  ])
  const list = await made.rpc({ jsonrpc: '2.0', method: 'tools/list', id: 1 })
  const metas = (list as { result: { tools: { _meta?: object }[] } }).result.tools.map(
    ({ _meta }) => _meta,
  )
  expect(metas).toEqual([{ 'acme/kept': 1 }, undefined])
})

test('an upload counts as a call', async () => {
  const { asked, send } = world(() => Response.json(UPLOADED, { status: 201 }), {
    call_settings: 'calls_per_minute=1',
  })
  expect((await send({ body: 'abc' })).status).toBe(201)
  const refused = await send({ body: 'abc' })
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(asked).toHaveLength(1)
})

test('a file is not sent where a person must approve the tool', async () => {
  const { asked, send } = world(() => Response.json(UPLOADED, { status: 201 }), {
    api_keys: keys('ada'),
    policy: JSON.stringify({
      rules: [{ name: 'careful', principals: ['key:ada'], effect: 'ask' }],
    }),
  })
  const response = await send({ body: 'abc', headers: as('ada') })
  expect([response.status, await response.json()]).toMatchObject([
    403,
    { error: { code: 'approval_required' } },
  ])
  expect(asked).toEqual([])
})

test('the audit log says which rule permitted an upload, and which one refused it', async () => {
  const sent = async (effect: string) => {
    const { send } = world(() => Response.json(UPLOADED, { status: 201 }), {
      api_keys: keys('ada'),
      policy: JSON.stringify({
        rules: [
          { principals: ['key:bob'], effect: 'allow' },
          { principals: ['key:ada'], effect },
        ],
      }),
      call_settings: 'audit=on',
    })
    await send({ body: 'abc', headers: as('ada') })
  }
  const about = { principal: 'key:ada', component: 'files', tool: 'upload_image', rule: 2 }
  await sent('allow')
  expect(begun()).toMatchObject([about])
  expect(entries()).toMatchObject([{ ...about, outcome: 'ok' }])
  printed.length = 0
  await sent('ask')
  expect(begun()).toEqual([])
  expect(entries()).toMatchObject([{ ...about, outcome: 'refused' }])
})
