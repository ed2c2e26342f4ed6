import { memoryPlatform } from 'ftl-platform/memory'
import { describe, expect, it } from 'vitest'
import { createRouter } from './routes.ts'
import { createScope } from './scope.ts'

const route = createRouter([
  { path: '/one', methods: { POST: () => new Response('one') } },
  { path: '/one/x/:name', methods: { POST: ({ param }) => new Response(`one ${param}`) } },
  {
    path: '/jobs/:id',
    methods: {
      GET: ({ param }) => new Response(`job ${param}`, { headers: { 'x-kept': 'yes' } }),
      DELETE: () => new Response(null, { status: 204 }),
    },
  },
])
const ask = (method: string, path: string) =>
  route({
    request: new Request(`http://localhost${path}`, { method }),
    scope: createScope(memoryPlatform(), 'id'),
    param: '',
  })

describe('a request', () => {
  it.each([
    ['POST', '/one', 'one'],
    ['POST', '/one?x=1', 'one'],
    ['POST', '/one/x/a-b', 'one a-b'],
    ['GET', '/jobs/17', 'job 17'],
    ['GET', '/jobs/a%2Fb', 'job a%2Fb'],
    ['POST', '/one/x/%61%2Db', 'one a-b'],
    ['GET', '/jobs/%2561%00%5C%c3%a9%zz%', 'job %2561%00%5C%c3%a9%zz%'],
    ['GET', '/jobs/a%2E%2e%2Fb', 'job a..%2Fb'],
  ])('%s %s finds its route', async (method, path, text) => {
    expect(await (await ask(method, path)).text()).toBe(text)
  })

  it.each(['/', '/one/', '/one/x', '/one/x/', '/jobs/1/2', '/jobs', '/%6fne', '/constructor'])(
    'for %s finds nothing',
    async (path) => {
      const response = await ask('POST', path)
      expect(response.status).toBe(404)
      expect(await response.json()).toMatchObject({ error: { code: 'not_found' } })
    },
  )

  it.each([
    ['GET', '/one', 'POST'],
    ['POST', '/jobs/1', 'GET, HEAD, DELETE'],
    ['constructor', '/jobs/1', 'GET, HEAD, DELETE'],
  ])('%s %s is told what is allowed', async (method, path, allow) => {
    const response = await ask(method, path)
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe(allow)
  })

  it('OPTIONS is answered with what its own route allows', async () => {
    const response = await ask('OPTIONS', '/one')
    expect(response.status).toBe(204)
    expect(response.headers.get('allow')).toBe('POST, OPTIONS')
    expect((await ask('OPTIONS', '/none')).status).toBe(404)
  })

  it('HEAD is answered like GET, without the body', async () => {
    const response = await ask('HEAD', '/jobs/17')
    expect(response.headers.get('x-kept')).toBe('yes')
    expect(await response.text()).toBe('')
  })
})
