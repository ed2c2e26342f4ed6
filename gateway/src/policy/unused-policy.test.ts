// A policy where no caller is authenticated: the operator believes that it is applied, so nothing may be served.
import { describe, expect, it } from 'vitest'
import { createWorld, several, tool, type World } from '../testing/components.ts'
import { JOB_ID, record, store } from '../testing/job-component.ts'
import { modern } from '../testing/modern.ts'

const ORIGIN = 'http://localhost:3000'
/** As `spin.toml` has it without a policy. */
const NOTHING = { trust_forwarded_user: 'false; policy=', policy: '' }

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  new Request(new URL(path, ORIGIN), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
const rpc = (method: string, params: object, path = '/mcp') =>
  post(path, { jsonrpc: '2.0', id: 1, method, params }, { 'mcp-protocol-version': '2025-11-25' })
const get = (path: string) => new Request(ORIGIN + path)

const FACES: [face: string, ask: () => Request][] = [
  ['tools/list', () => rpc('tools/list', {})],
  ['a call of MCP of 2025', () => rpc('tools/call', { name: 'a' })],
  ['a call of MCP of 2026', () => modern('tools/call', { name: 'a' })],
  ['a batch', () => post('/mcp', [{ jsonrpc: '2.0', id: 1, method: 'tools/call', params: {} }])],
  ['a call at the address of one component', () => rpc('tools/call', { name: 'a' }, '/mcp/x/one')],
  ['the handshake', () => rpc('initialize', { protocolVersion: '2025-11-25' })],
  ['server/discover', () => modern('server/discover', {})],
  ['a list of prompts', () => rpc('prompts/list', {})],
  ['a prompt', () => rpc('prompts/get', { name: 'p' })],
  ['a resource', () => rpc('resources/read', { uri: 'one://r' })],
  ['a job by its tool', () => rpc('tools/call', { name: 'get_job', arguments: {} })],
  ['a task', () => modern('tasks/get', { taskId: JOB_ID })],
  ['a job', () => get(`/jobs/${JOB_ID}`)],
  ['the events of a job', () => get(`/jobs/${JOB_ID}/events`)],
  ['a file of a job', () => get(`/outputs/${JOB_ID}.png`)],
  ['/tools', () => get('/tools')],
  ['/tools/{name}', () => get('/tools/a')],
  ['a call of /tools/{name}', () => post('/tools/a', {})],
  ['/invoke', () => post('/invoke', { tool: 'a', params: {} })],
  ['a stream of lines', () => post('/invoke', { tool: 'a' }, { accept: 'application/x-ndjson' })],
  ['the OpenAI form', () => post('/invoke', { type: 'function', function: { name: 'a' } })],
  ['a list of OpenAI calls', () => post('/invoke', [{ id: '1', function: { name: 'a' } }])],
  ['/openapi.json', () => get('/openapi.json')],
  ['/health/components', () => get('/health/components')],
  ['/whoami', () => get('/whoami?for=chat')],
  ['a call by another component', () => post('http://mcp-gateway.spin.internal/mcp', {})],
]

type Variables = Record<string, string>

/** A gateway that has served before, so that its store has the catalog and a job. */
async function served(before: Variables, after: Variables): Promise<World> {
  const components = { one: several([tool('a')]) }
  const first = createWorld({ components, variables: before })
  await first.send(get('/tools'))
  await store(first.platform, record({ component: 'one', status: 'completed', seq: 3 }))
  const world = createWorld({ components, variables: after })
  world.platform.openKeyValue = (label) => first.platform.openKeyValue(label)
  return world
}

const POLICY = '{"rules":[{"name":"a; b","effect":"allow"}]}'
/** Where the manifest tells the gateway of the policy. */
const MANIFESTS: [manifest: string, variables: Variables][] = [
  ['this one', { policy: POLICY, trust_forwarded_user: `false; policy=${POLICY}` }],
  ['one from before', { policy: POLICY, trust_forwarded_user: 'false' }],
  ['one without the variable of proxies', { policy: POLICY }],
]

describe.each(MANIFESTS)('by a manifest like %s, nothing is served', (_, variables) => {
  it.each(FACES)('%s', async (_, ask) => {
    for (const before of [NOTHING, variables]) {
      const world = await served(before, variables)
      const response = await world.send(ask())
      expect(response.status).toBe(500)
      expect(await response.json()).toMatchObject({
        error: {
          code: 'configuration',
          message: expect.stringMatching(
            /^The variable "policy" needs authentication.*Set api_keys, auth_issuers or trust_forwarded_user, or remove the policy\.$/,
          ) as string,
        },
      })
      expect(world.log).toEqual([])
    }
  })
})

describe('a gateway without a policy', () => {
  it.each(FACES)('serves %s, and reads no further variable for that', async (_, ask) => {
    const variables = { ...NOTHING, catalog_ttl_ms: '60000' }
    const world = await served(variables, variables)
    const response = await world.send(ask())
    expect(await response.text()).not.toContain('needs authentication')
    expect(response.status).not.toBe(500)
    // Where components are asked for their lists, it always was read.
    const asks = world.log.includes('GET http://one.spin.internal/')
    expect(world.reads.includes('policy')).toBe(asks)
  })
})

describe('what the manifest says of the policy', () => {
  it.each(['false; policy=', 'false ;policy= ', ';policy=', 'false;policy=\n'])(
    '%j says that there is none',
    async (value) => {
      const world = createWorld({ variables: { ...NOTHING, trust_forwarded_user: value } })
      expect((await world.send(get('/whoami'))).status).toBe(200)
    },
  )

  it.each(['false; other=1', 'false;', 'false; ; policy=x', 'no; policy='])(
    '%j is refused',
    async (value) => {
      const world = createWorld({ variables: { ...NOTHING, trust_forwarded_user: value } })
      const response = await world.send(get('/whoami'))
      expect(response.status).toBe(500)
      expect(await response.text()).toContain('\\"trust_forwarded_user\\"')
    },
  )

  it('does not make a list of tools possible if the variable of the policy says otherwise', async () => {
    const world = createWorld({
      components: { one: several([tool('a')]) },
      variables: { ...NOTHING, policy: 'signed-in' },
    })
    expect(await (await world.send(get('/tools'))).text()).toContain('needs authentication')
  })

  it('cannot switch the authentication by a proxy off', async () => {
    for (const value of ['without-secret; policy=', 'without-secret; policy=; policy=false']) {
      const variables = { trust_forwarded_user: value, policy: 'signed-in' }
      expect((await createWorld({ variables }).send(get('/tools'))).status).toBe(401)
    }
  })
})
