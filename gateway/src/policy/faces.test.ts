import { describe, expect, it } from 'vitest'
import { guardedWorld, HIDDEN } from '../testing/guarded.ts'
import { API_KEY, tokenWith } from '../testing/issuer.ts'
import { JOB_ID, record, store } from '../testing/job-component.ts'
import { modern } from '../testing/modern.ts'
import type { Rule } from './policy.ts'

const ONLY_OPEN: Rule[] = [{ effect: 'allow', components: ['open'] }]

const JSON_TYPE = { 'content-type': 'application/json' }
const post = (path: string, body: unknown, headers = {}): [string, RequestInit] => [
  path,
  { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(body) },
]
const rpc = (method: string, params: object, path = '/mcp', headers = {}) =>
  post(path, { jsonrpc: '2.0', id: 1, method, params }, headers)
const through = (name: string, args: object) => rpc('tools/call', { name, arguments: args })
const HEADERS_2025 = { 'mcp-protocol-version': '2025-11-25' }

async function modernly(
  method: string,
  params: Record<string, unknown>,
): Promise<[string, RequestInit]> {
  const request = modern(method, params)
  const { headers } = request
  return ['/mcp', { method: 'POST', headers, body: await request.text() }]
}

type Face = [
  face: string,
  ask: (id: string) => [string, RequestInit?] | Promise<[string, RequestInit?]>,
]

/** Requests about one entry of a component. */
const USES: Face[] = [
  ['a call of MCP without a revision', (id) => rpc('tools/call', { name: `${id}_tool` })],
  [
    'a call of MCP of 2025',
    (id) => rpc('tools/call', { name: `${id}_tool` }, '/mcp', HEADERS_2025),
  ],
  ['a call of MCP of 2026', (id) => modernly('tools/call', { name: `${id}_tool` })],
  ['a call that starts a job', (id) => rpc('tools/call', { name: `${id}_job` })],
  [
    'a batch',
    (id) =>
      post('/mcp', [
        { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: `${id}_tool` } },
      ]),
  ],
  [
    'a name that a clash would give',
    (id) => rpc('tools/call', { name: `${id}__a.name.for.openai` }),
  ],
  [
    'an own name behind that of another component',
    (id) => rpc('tools/call', { name: `open__${id}_tool` }),
  ],
  [
    'the address of one component',
    (id) => rpc('tools/call', { name: `${id}_tool` }, `/mcp/x/${id}`),
  ],
  ['the lists of one component', (id) => rpc('tools/list', {}, `/mcp/x/${id}`)],
  [
    'the handshake of one component',
    (id) => rpc('initialize', { protocolVersion: '2025-11-25' }, `/mcp/x/${id}`),
  ],
  ['the stream of one component', (id) => [`/mcp/x/${id}`]],
  [
    'a tool at the address of another component',
    (id) => rpc('tools/call', { name: `${id}_tool` }, '/mcp/x/open'),
  ],
  ['a prompt', (id) => rpc('prompts/get', { name: `${id}_prompt` })],
  ['a prompt of 2026', (id) => modernly('prompts/get', { name: `${id}_prompt` })],
  ['a resource', (id) => rpc('resources/read', { uri: `${id}://plan` })],
  ['a resource of 2026', (id) => modernly('resources/read', { uri: `${id}://plan` })],
  ['a resource of a template', (id) => rpc('resources/read', { uri: `${id}://x/page` })],
  ['the template of a resource', (id) => rpc('resources/read', { uri: `${id}://{name}/page` })],
  ['a subscription', (id) => rpc('resources/subscribe', { uri: `${id}://plan` })],
  [
    'a completion for a prompt',
    (id) =>
      rpc('completion/complete', {
        ref: { type: 'ref/prompt', name: `${id}_prompt` },
        argument: { name: 'who', value: '' },
      }),
  ],
  [
    'a completion for a resource',
    (id) =>
      rpc('completion/complete', {
        ref: { type: 'ref/resource', uri: `${id}://{name}/page` },
        argument: { name: 'name', value: '' },
      }),
  ],
  ['/invoke', (id) => post('/invoke', { tool: `${id}_tool`, params: {} })],
  [
    '/invoke with lines',
    (id) => post('/invoke', { tool: `${id}_tool`, params: {} }, { accept: 'application/x-ndjson' }),
  ],
  [
    'the MCP form of /invoke',
    (id) => post('/invoke', { method: 'tools/call', params: { name: `${id}_tool` } }),
  ],
  [
    'the OpenAI form',
    (id) => post('/invoke', { type: 'function', function: { name: `${id}_tool` } }),
  ],
  [
    'a list of OpenAI calls',
    (id) => post('/invoke', [{ id: '1', function: { name: `${id}_tool` } }]),
  ],
  ['call_tool', (id) => through('call_tool', { name: `${id}_tool` })],
  [
    'call_tool of 2026',
    (id) => modernly('tools/call', { name: 'call_tool', arguments: { name: `${id}_tool` } }),
  ],
  ['call_tool of /invoke', (id) => post('/tools/call_tool', { name: `${id}_tool` })],
  ['describe_tools', (id) => through('describe_tools', { names: [`${id}_tool`] })],
  [
    'describe_tools with a tool that is known',
    (id) => through('describe_tools', { names: ['open_tool', `${id}_tool`] }),
  ],
  ['search_tools', (id) => through('search_tools', { query: `${id} tool`, detail: 'full' })],
  ['search_tools of one component', (id) => through('search_tools', { component: id })],
  ['a search by HTTP', (id) => [`/tools?query=&component=${id}`]],
  ['/tools/{name}', (id) => [`/tools/${id}_tool`]],
  ['an encoded /tools/{name}', (id) => [`/tools/${id}%5ftool`]],
  ['a call of /tools/{name}', (id) => post(`/tools/${id}_tool`, {})],
]

const LISTS: Face[] = [
  ['tools/list', () => rpc('tools/list', {})],
  ['tools/list of 2026', () => modernly('tools/list', {})],
  ['prompts/list', () => rpc('prompts/list', {})],
  ['resources/list', () => rpc('resources/list', {})],
  ['resources/templates/list', () => rpc('resources/templates/list', {})],
  ['initialize', () => rpc('initialize', { protocolVersion: '2025-11-25' })],
  ['server/discover', () => modernly('server/discover', {})],
  [
    'subscriptions/listen',
    () => modernly('subscriptions/listen', { notifications: { toolsListChanged: true } }),
  ],
  ['/tools', () => ['/tools']],
  ['/tools?query=', () => ['/tools?query=&detail=full']],
  ['/tools?query= of a word', () => ['/tools?query=openai&format=openai']],
  ['search_tools list', () => through('search_tools', { query: 'openai', detail: 'detailed' })],
  ['tools=search list', () => rpc('tools/list', {}, '/mcp?tools=search')],
  ['/tools?format=mcp', () => ['/tools?format=mcp']],
  ['/tools?format=openai', () => ['/tools?format=openai']],
  ['/tools?format=chat', () => ['/tools?format=chat']],
  ['/openapi.json', () => ['/openapi.json']],
  ['/docs', () => ['/docs']],
  ['/health', () => ['/health']],
  ['/health/components', () => ['/health/components']],
  ['/whoami', () => ['/whoami']],
]

/** Without what differs in every response. */
function normal(text: string, id: string): string {
  return text
    .replaceAll(id, '(it)')
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '(id)')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '(time)')
    .replace(/_[0-9a-f]{8}\b/g, '(hash)')
    .replace(/nonce-?="?[^"']*/g, '(nonce)')
}

async function answerTo([, ask]: Face, id: string, rules = ONLY_OPEN, token = tokenWith()) {
  const world = guardedWorld(rules)
  const [path, init] = await ask(id)
  const response = await world.get(path, token, init)
  const text = await response.text()
  const headers = [...response.headers].filter(([name]) => name !== 'x-request-id')
  const called = world.log.filter((line) => line !== `GET http://${id}.spin.internal/`)
  return { status: response.status, headers, text, called }
}

describe('what a caller may not use is as if it did not exist, at', () => {
  it.each(USES)('%s', async (...face) => {
    const hidden = await answerTo(face, HIDDEN)
    const unknown = await answerTo(face, 'ghost')
    expect(hidden.status).toBe(unknown.status)
    expect(hidden.headers).toEqual(unknown.headers)
    expect(normal(hidden.text, HIDDEN)).toBe(normal(unknown.text, 'ghost'))
    // Nothing but the question for its description may reach it.
    expect(hidden.called.filter((line) => line.includes(`//${HIDDEN}.`))).toEqual([])
  })

  it.each(USES)('%s, and a caller who may use it reaches it', async (...face) => {
    const may = await answerTo(face, HIDDEN, [{ effect: 'allow' }])
    const unknown = await answerTo(face, 'ghost', [{ effect: 'allow' }])
    // These two names exist for no caller.
    if (/behind|another component|stream of one/.test(face[0])) return
    expect(normal(may.text, HIDDEN)).not.toBe(normal(unknown.text, 'ghost'))
  })
})

describe('a list names nothing that the caller may not use:', () => {
  it.each(LISTS)('%s', async (...face) => {
    const { status, headers, text } = await answerTo(face, 'nothing')
    expect(status).toBe(200)
    expect(`${JSON.stringify(headers)} ${text}`).not.toContain(HIDDEN)
    const all = await answerTo(face, 'nothing', [{ effect: 'allow' }])
    // Otherwise the test above could not fail.
    if (/(?<!tools=search )list$|^\/tools|openapi|components/.test(face[0]))
      expect(all.text).toContain(HIDDEN)
  })

  it.each(LISTS)('%s, nor to a caller without any right', async (...face) => {
    const { text } = await answerTo(face, 'nothing', [{ effect: 'allow', principals: ['key:ci'] }])
    expect(text).not.toMatch(/vault|open_|a\.name/)
  })
})

describe('names that look like a permitted one', () => {
  it.each([
    'OPEN_TOOL',
    'open_too\u006c\u0301',
    '\uff4fpen_tool',
    'open\u200b_tool',
    ' open_tool',
    'open_tool ',
    'open%5ftool',
    'open__tool',
    'open__open_tool',
    'open_tool*',
    '*',
    'open*',
    '__proto__',
    'constructor',
    'toString',
    'vault__open_tool',
  ])('%j are unknown', async (name) => {
    const world = guardedWorld([{ effect: 'allow', tools: ['open_tool'] }])
    const [path, init] = rpc('tools/call', { name })
    const body = (await (await world.get(path, tokenWith(), init)).json()) as object
    expect(body).toMatchObject({ error: { code: -32001 } })
    expect(world.log.filter((line) => line.startsWith('POST'))).toEqual([])
  })
})

describe('two components that offer one name', () => {
  const SAME = 'a.name.for.openai'

  it('are told apart, at every address', async () => {
    const world = guardedWorld([{ effect: 'allow', tools: [SAME] }])
    const call = async (name: string, path = '/mcp') => {
      const [at, init] = rpc('tools/call', { name }, path)
      return (await world.get(at, tokenWith(), init)).text()
    }
    expect(await call(SAME)).toContain('from open')
    expect(await call(SAME, '/mcp/x/open')).toContain('from open')
    expect(await call(`${HIDDEN}__${SAME}`)).toContain('Tool not found')
    // At its own address this tool has the plain name, and still is the other one.
    expect(await call(SAME, `/mcp/x/${HIDDEN}`)).toContain('no_such_component')
    expect(world.log).not.toContain(`POST http://${HIDDEN}.spin.internal/${SAME}`)
  })

  it('are both denied by the name', async () => {
    const world = guardedWorld([{ effect: 'deny', tools: [SAME] }, { effect: 'allow' }])
    const list = await (await world.get('/tools', tokenWith())).text()
    expect(list).toContain('open_tool')
    expect(list).not.toContain(SAME)
  })

  it('can be permitted by the listed name, and then called at the own address', async () => {
    const world = guardedWorld([{ effect: 'allow', tools: [`${HIDDEN}__${SAME}`] }])
    const [path, init] = rpc('tools/call', { name: SAME }, `/mcp/x/${HIDDEN}`)
    expect(await (await world.get(path, tokenWith(), init)).text()).toContain(`from ${HIDDEN}`)
    const [other, same] = rpc('tools/call', { name: SAME })
    expect(await (await world.get(other, tokenWith(), same)).text()).toContain('Tool not found')
  })
})

describe('an address with escapes', () => {
  it.each([
    '%76ault://secret/page',
    'vault://s%65cret/page',
    'vault://s%2565cret/page',
    'vault://x/../secret/page',
    'VAULT://secret/page',
  ])('does not avoid a rule: %s', async (uri) => {
    const rules: Rule[] = [{ effect: 'deny', resources: ['vault://secret/*'] }, { effect: 'allow' }]
    const world = guardedWorld(rules)
    const [path, init] = rpc('resources/read', { uri }, '/mcp', HEADERS_2025)
    const answer = (await (await world.get(path, tokenWith(), init)).json()) as object
    expect(answer).toMatchObject({ error: { code: -32002 } })
    expect(world.log.filter((line) => line.includes('/resources'))).toEqual([])
  })

  it('of another user is read by a rule for the template, or for the address', async () => {
    for (const resources of [['vault://{name}/page'], ['vault://ada/*'], ['vault://*']]) {
      const world = guardedWorld([{ effect: 'allow', resources }])
      const [path, init] = rpc('resources/read', { uri: 'vault://ada/page' })
      expect(await (await world.get(path, tokenWith(), init)).text()).toContain(HIDDEN)
    }
  })
})

describe('jobs', () => {
  const owned = (owner: string, component: string) =>
    record({ owner, component, status: 'completed', seq: 3 })

  it('stay with their owner, whatever the policy says now', async () => {
    const world = guardedWorld([{ effect: 'allow', components: ['open'] }])
    await store(world.platform, owned('key:ci', HIDDEN))
    expect((await world.get(`/jobs/${JOB_ID}`, API_KEY)).status).toBe(200)
    for (const path of [`/jobs/${JOB_ID}`, `/jobs/${JOB_ID}/events`, `/outputs/${JOB_ID}.png`]) {
      expect((await world.get(path, tokenWith())).status).toBe(404)
    }
    await world.get('/tools', tokenWith())
    const [path, init] = rpc('tools/call', { name: 'get_job', arguments: { job_id: JOB_ID } })
    expect(await (await world.get(path, tokenWith(), init)).text()).toContain('no such job')
  })

  it('have tools only for a caller who may start some', async () => {
    const names = async (rules: Rule[]) =>
      (await guardedWorld(rules).get('/tools', tokenWith())).text()
    expect(await names([{ effect: 'allow', tools: ['open_job'] }])).toContain('get_job')
    expect(await names([{ effect: 'allow', prompts: ['*'] }])).not.toContain('get_job')
    const world = guardedWorld([{ effect: 'allow', prompts: ['*'] }])
    const [path, init] = rpc('tools/call', { name: 'get_job', arguments: { job_id: JOB_ID } })
    expect(await (await world.get(path, tokenWith(), init)).text()).toContain('Tool not found')
  })
})
