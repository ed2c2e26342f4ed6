/** What HTTP and JSON-RPC themselves allow: methods, Accept, Content-Type, broken bodies, arrays. */
import { BOTH_TYPES, type Case, COMMON, onlyGiven, post } from './case.ts'
import { modern } from './modern-request.ts'

const LEGACY = { 'mcp-protocol-version': '2025-11-25' }
const PING = { jsonrpc: '2.0', id: 1, method: 'ping' }
const LIST = { method: 'tools/list' }
const CALL = { name: 'echo', arguments: { message: 'x' } }
const NOTE = { jsonrpc: '2.0', method: 'notifications/initialized' }

const METHODS: readonly Case[] = ['GET', 'DELETE', 'PUT', 'PATCH', 'HEAD'].flatMap((method) => [
  { id: `method/${method}`, method, headers: { accept: BOTH_TYPES } },
  { id: `method/${method}-events`, method, headers: { accept: 'text/event-stream', ...LEGACY } },
])

const ACCEPTS: Readonly<Record<string, string | undefined>> = {
  both: BOTH_TYPES,
  'both-with-quality': 'text/event-stream;q=0.5, application/json;q=0.9',
  none: undefined,
  anything: '*/*',
  'only-json': 'application/json',
  'only-events': 'text/event-stream',
  html: 'text/html',
}

const TYPES: Readonly<Record<string, string | undefined>> = {
  charset: 'application/json; charset=utf-8',
  'upper-case': 'Application/JSON',
  plus: 'application/vnd.x+json',
  text: 'text/plain',
  form: 'application/x-www-form-urlencoded',
  prefix: 'application/jsonp',
  'json-in-parameter': 'text/plain; a=application/json',
  empty: '',
}

const BROKEN: Readonly<Record<string, string>> = {
  empty: '',
  spaces: '  ',
  open: '{',
  'single-quotes': "{'jsonrpc':'2.0'}",
  'trailing-comma': '{"jsonrpc":"2.0","id":1,"method":"ping",}',
  'two-values': '{"jsonrpc":"2.0","id":1,"method":"ping"}{}',
  nan: '{"jsonrpc":"2.0","id":NaN,"method":"ping"}',
  null: 'null',
  number: '5',
  string: '"ping"',
  true: 'true',
  object: '{}',
  'no-version': '{"id":1,"method":"ping"}',
  'version-1': '{"jsonrpc":"1.0","id":1,"method":"ping"}',
  'version-number': '{"jsonrpc":2.0,"id":1,"method":"ping"}',
  'no-method': '{"jsonrpc":"2.0","id":1}',
  'method-number': '{"jsonrpc":"2.0","id":1,"method":5}',
  'method-null': '{"jsonrpc":"2.0","id":1,"method":null}',
  'params-array': '{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}',
  'params-string': '{"jsonrpc":"2.0","id":1,"method":"ping","params":"x"}',
  'params-null': '{"jsonrpc":"2.0","id":1,"method":"ping","params":null}',
  'extra-member': '{"jsonrpc":"2.0","id":1,"method":"ping","extra":1}',
  'request-and-result': '{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}',
  'same-key-twice': '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}',
  'byte-order-mark': '\uFEFF{"jsonrpc":"2.0","id":1,"method":"ping"}',
  proto: '{"jsonrpc":"2.0","id":1,"method":"ping","__proto__":{"method":"tools/list"}}',
  'whitespace-around': ' \n{"jsonrpc":"2.0","id":1,"method":"ping"}\n ',
}

const ENVELOPED = { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } }

const BATCHES: Readonly<Record<string, unknown[]>> = {
  empty: [],
  one: [PING],
  two: [PING, { ...PING, id: 2, method: 'tools/call', params: CALL }],
  'same-id-twice': [PING, PING],
  'only-notifications': [NOTE, NOTE],
  'request-and-notification': [PING, NOTE],
  'only-responses': [{ jsonrpc: '2.0', id: 1, result: {} }],
  'request-and-response': [PING, { jsonrpc: '2.0', id: 1, result: {} }],
  'unknown-method': [PING, { ...PING, id: 2, method: 'none' }],
  'invalid-element': [PING, 5],
  'nested-array': [[PING]],
  'modern-element': [{ ...PING, params: ENVELOPED }],
  initialize: [{ ...PING, method: 'initialize', params: { protocolVersion: '2025-03-26' } }],
}

export const HTTP_CASES: readonly Case[] = [
  ...METHODS,
  ...Object.entries(ACCEPTS).flatMap(([name, accept]) => [
    post(`accept/legacy/${name}`, PING, { headers: { ...LEGACY, accept } }),
    modern(`accept/${name}`, LIST, { headers: { accept } }),
    modern(
      `accept/${name}-progress`,
      { method: 'tools/call', params: { name: 'slow', _meta: { progressToken: 1 } } },
      { headers: { accept } },
    ),
    post(`accept/notification/${name}`, NOTE, { headers: { ...LEGACY, accept } }),
  ]),
  ...Object.entries(TYPES).flatMap(([name, type]) => [
    post(`content-type/legacy/${name}`, PING, { headers: { ...LEGACY, 'content-type': type } }),
    modern(`content-type/${name}`, LIST, { headers: { 'content-type': type } }),
  ]),
  ...Object.entries(BROKEN).flatMap(([name, body]) => [
    post(`body/none/${name}`, body),
    post(`body/legacy/${name}`, body, { headers: LEGACY }),
    post(`body/modern/${name}`, body, {
      headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'ping' },
    }),
  ]),
  ...Object.entries(BATCHES).flatMap(([name, batch]) =>
    ['none', '2025-03-26', '2025-06-18', '2026-07-28'].map((version) => ({
      ...post(`batch/${version}/${name}`, batch),
      headers: onlyGiven({
        ...COMMON,
        'mcp-protocol-version': version === 'none' ? undefined : version,
      }),
    })),
  ),
  post('size/4-MiB-and-one-byte', ' '.repeat(4 * 1024 * 1024 + 1), { headers: LEGACY }),
]
