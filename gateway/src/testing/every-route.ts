/** Every route of the gateway, and how a client uses it. */
import { call } from './components.ts'
import { modern } from './modern.ts'

const rpc = (message: object) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(message),
})
const MODERN = modern('tools/list')
const JOB = '97890d15-b8ea-410b-a322-7c35d1415d5f'

/** A call of the tool `a` as a client of 2025 sends it. */
export const CALL = rpc(call('a', {}))

export const FACES: [face: string, path: string, init?: RequestInit][] = [
  ['MCP of 2025', '/mcp', CALL],
  ['the list of MCP of 2025', '/mcp', rpc({ jsonrpc: '2.0', id: 1, method: 'tools/list' })],
  ['a handshake', '/mcp', rpc({ jsonrpc: '2.0', id: 1, method: 'initialize', params: {} })],
  ['a notification', '/mcp', rpc({ jsonrpc: '2.0', method: 'notifications/initialized' })],
  ['MCP of 2026', '/mcp', { method: 'POST', headers: MODERN.headers, body: await MODERN.text() }],
  ['MCP of one component', '/mcp/x/one', CALL],
  ['GET /mcp', '/mcp'],
  ['/invoke', '/invoke', rpc({ tool: 'a', params: {} })],
  ['the OpenAI form', '/invoke', rpc([{ id: '1', type: 'function', function: { name: 'a' } }])],
  ['/tools', '/tools'],
  ['the OpenAI list', '/tools?format=openai'],
  ['/tools/{name}', '/tools/a'],
  ['a call of /tools/{name}', '/tools/a', rpc({})],
  ['/jobs', `/jobs/${JOB}`],
  ['a cancel', `/jobs/${JOB}`, { method: 'DELETE' }],
  ['/jobs/{id}/events', `/jobs/${JOB}/events`],
  ['/outputs', `/outputs/${JOB}.png`],
  ['/openapi.json', '/openapi.json'],
  ['/health/components', '/health/components'],
  ['/whoami', '/whoami'],
  ['a path without a route', '/nothing'],
]
