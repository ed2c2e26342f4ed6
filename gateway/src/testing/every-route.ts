/** Every route of the gateway, and how a client uses it. */
import { call } from './components.ts'
import { modern } from './modern.ts'
import { posting } from './rest.ts'

const MODERN = modern('tools/list')
const JOB = '97890d15-b8ea-410b-a322-7c35d1415d5f'

/** A call of the tool `a` as a client of 2025 sends it. */
export const CALL = posting(call('a', {}))

export const FACES: [face: string, path: string, init?: RequestInit][] = [
  ['MCP of 2025', '/mcp', CALL],
  ['the list of MCP of 2025', '/mcp', posting({ jsonrpc: '2.0', id: 1, method: 'tools/list' })],
  ['a handshake', '/mcp', posting({ jsonrpc: '2.0', id: 1, method: 'initialize', params: {} })],
  ['a notification', '/mcp', posting({ jsonrpc: '2.0', method: 'notifications/initialized' })],
  ['MCP of 2026', '/mcp', { method: 'POST', headers: MODERN.headers, body: await MODERN.text() }],
  ['MCP of one component', '/mcp/x/one', CALL],
  ['GET /mcp', '/mcp'],
  ['/invoke', '/invoke', posting({ tool: 'a', params: {} })],
  ['the OpenAI form', '/invoke', posting([{ id: '1', type: 'function', function: { name: 'a' } }])],
  ['/tools', '/tools'],
  ['the OpenAI list', '/tools?format=openai'],
  ['/tools/{name}', '/tools/a'],
  ['a call of /tools/{name}', '/tools/a', posting({})],
  ['/jobs', `/jobs/${JOB}`],
  ['a cancel', `/jobs/${JOB}`, { method: 'DELETE' }],
  ['/jobs/{id}/events', `/jobs/${JOB}/events`],
  ['/outputs', `/outputs/${JOB}.png`],
  ['/openapi.json', '/openapi.json'],
  ['/health/components', '/health/components'],
  ['/whoami', '/whoami'],
  ['a path without a route', '/nothing'],
]
