/** Every request about an entry of a component, and every list. */
import { modern } from './modern.ts'
import { posting } from './rest.ts'

const post = (path: string, body: unknown, headers = {}): [string, RequestInit] => [
  path,
  posting(body, headers),
]

/** A message to `/mcp`, or to another path. */
export const rpc = (method: string, params: object, path = '/mcp', headers = {}) =>
  post(path, { jsonrpc: '2.0', id: 1, method, params }, headers)

const through = (name: string, args: object) => rpc('tools/call', { name, arguments: args })

export const HEADERS_2025 = { 'mcp-protocol-version': '2025-11-25' }

async function modernly(
  method: string,
  params: Record<string, unknown>,
): Promise<[string, RequestInit]> {
  const request = modern(method, params)
  const { headers } = request
  return ['/mcp', { method: 'POST', headers, body: await request.text() }]
}

export type Face = [
  face: string,
  ask: (id: string) => [string, RequestInit?] | Promise<[string, RequestInit?]>,
]

/** Requests about one entry of a component. */
export const USES: Face[] = [
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
  ['use_tool', (id) => through('use_tool', { name: `${id}_tool` })],
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

export const LISTS: Face[] = [
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
