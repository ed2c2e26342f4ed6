/** The eras with a handshake: every message under every version header, and what only they have. */
import { type Case, post } from './case.ts'
import { MESSAGES, type Message } from './messages.ts'

const VERSION = 'mcp-protocol-version'

/** `none` is a plain client such as curl: its failures are worded by the API reference. */
const SPOKEN = ['none', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']

const ONLY_LEGACY: readonly Message[] = [
  { name: 'ping', method: 'ping' },
  { name: 'set-level', method: 'logging/setLevel', params: { level: 'debug' } },
  { name: 'set-level-odd', method: 'logging/setLevel', params: { level: 'loud' } },
  { name: 'set-level-none', method: 'logging/setLevel', params: {} },
  { name: 'subscribe', method: 'resources/subscribe', params: { uri: 'test://static' } },
  { name: 'subscribe-unknown', method: 'resources/subscribe', params: { uri: 'test://nothing' } },
  { name: 'unsubscribe', method: 'resources/unsubscribe', params: { uri: 'test://static' } },
  { name: 'subscribe-none', method: 'resources/subscribe', params: {} },
  { name: 'discover', method: 'server/discover', params: {} },
  { name: 'listen', method: 'subscriptions/listen', params: { notifications: {} } },
]

const REQUESTED = ['0.1.0', '2024-10-07', ...SPOKEN.slice(1), '2026-07-28', '1999-01-01', '', 5]
const CLIENT = { clientInfo: { name: 'c', version: '1' }, capabilities: {} }

const HANDSHAKES = [
  ...REQUESTED.map((protocolVersion) => ({
    name: `initialize-${JSON.stringify(protocolVersion)}`,
    params: { protocolVersion, ...CLIENT },
  })),
  { name: 'initialize-no-version', params: CLIENT },
  {
    name: 'initialize-no-client-info',
    params: { protocolVersion: '2025-11-25', capabilities: {} },
  },
  { name: 'initialize-no-params', params: undefined },
]

const IDS = [0, -1, 1.5, '', 'one', 'ünï', 2 ** 53, 'x'.repeat(300)]
const ODD_IDS = [null, true, {}, []]

const HEADER_VALUES = [
  '1999-01-01',
  '2026-07-28',
  '2099-01-01',
  'x',
  '2024-10-07',
  '0.1.0',
  ' 2025-11-25 ',
]

export const LEGACY_CASES: readonly Case[] = [
  ...SPOKEN.flatMap((version) =>
    [...MESSAGES, ...ONLY_LEGACY].map(({ name, method, params }) =>
      post(
        `legacy/${version}/${name}`,
        { jsonrpc: '2.0', id: 1, method, params },
        { headers: { [VERSION]: version === 'none' ? undefined : version } },
      ),
    ),
  ),
  ...HANDSHAKES.map(({ name, params }) =>
    post(`handshake/${name}`, { jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  ),
  post(
    'handshake/initialize-under-its-own-header',
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', ...CLIENT },
    },
    { headers: { [VERSION]: '2025-11-25' } },
  ),
  ...[...IDS, ...ODD_IDS].map((id) =>
    post(
      `id/legacy/${JSON.stringify(id).slice(0, 20)}`,
      { jsonrpc: '2.0', id, method: 'ping' },
      { headers: { [VERSION]: '2025-11-25' } },
    ),
  ),
  // JSON.stringify could not write it: the next number that a double holds is one less.
  post('id/legacy/beyond-doubles', '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}'),
  ...HEADER_VALUES.map((value) =>
    post(
      `version-header/${value.trim() === value ? value : 'with-spaces'}`,
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      { headers: { [VERSION]: value } },
    ),
  ),
  ...notifications(),
]

function notifications(): Case[] {
  const headers = { [VERSION]: '2025-11-25' }
  const note = (name: string, message: object, version = headers) =>
    post(`notification/legacy/${name}`, { jsonrpc: '2.0', ...message }, { headers: version })
  return [
    note('initialized', { method: 'notifications/initialized' }),
    note('cancelled', { method: 'notifications/cancelled', params: { requestId: 1 } }),
    note('roots', { method: 'notifications/roots/list_changed' }),
    note('progress', {
      method: 'notifications/progress',
      params: { progressToken: 1, progress: 1 },
    }),
    note('unknown', { method: 'notifications/none' }),
    note('of-a-request', { method: 'tools/list', params: {} }),
    note('of-a-call', { method: 'tools/call', params: { name: 'echo' } }),
    note('odd-params', { method: 'notifications/cancelled', params: { requestId: {} } }),
    note('params-array', { method: 'notifications/initialized', params: [] }),
    note('unknown-version', { method: 'notifications/initialized' }, { [VERSION]: '1999-01-01' }),
    note('result', { id: 1, result: {} }),
    note('error', { id: 1, error: { code: -1, message: 'no' } }),
    note('error-null-id', { id: null, error: { code: -1, message: 'no' } }),
    note('result-and-error', { id: 1, result: {}, error: { code: -1, message: 'no' } }),
    note('result-no-id', { result: {} }),
    note('error-odd', { id: 1, error: 'no' }),
  ]
}
