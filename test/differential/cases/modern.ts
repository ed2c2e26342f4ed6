/** Revision 2026-07-28: every message with a good envelope, and what only this revision has. */
import { type Case, type Headers, post } from './case.ts'
import { MESSAGES } from './messages.ts'
import {
  CAPABILITIES_KEY,
  ENVELOPE,
  LOG_LEVEL_KEY,
  MODERN,
  modern,
  VERSION_KEY,
} from './modern-request.ts'

const LIST = { method: 'tools/list' }
const ASK = { method: 'tools/call', params: { name: 'asks' } }
const WORK = { method: 'tools/call', params: { name: 'slow' } }
const odd = (value: unknown) => JSON.stringify(value)

const ELICITATION = { [CAPABILITIES_KEY]: { elicitation: {} } }
const answered = (inputResponses: unknown) => ({
  ...ASK,
  params: { ...ASK.params, inputResponses },
})
const who = { action: 'accept', content: { name: 'Ada' } }

const INPUT: readonly Case[] = [
  modern('input/asked', ASK, { meta: ELICITATION }),
  modern('input/asked-form-declared', ASK, {
    meta: { [CAPABILITIES_KEY]: { elicitation: { form: {} } } },
  }),
  modern('input/asked-url-only', ASK, {
    meta: { [CAPABILITIES_KEY]: { elicitation: { url: {} } } },
  }),
  modern('input/not-declared', ASK),
  modern('input/answered', answered({ who }), { meta: ELICITATION }),
  modern('input/answered-and-more', answered({ who, more: who }), { meta: ELICITATION }),
  modern('input/answered-other', answered({ other: who }), { meta: ELICITATION }),
  modern('input/answered-nothing', answered({}), { meta: ELICITATION }),
  modern('input/answers-array', answered([]), { meta: ELICITATION }),
  modern('input/answers-null', answered(null), { meta: ELICITATION }),
]

const LOGGING: readonly Case[] = ['debug', 'info', 'warning', 'emergency', 'loud'].flatMap(
  (level) => [
    modern(`log/${level}`, WORK, { meta: { [LOG_LEVEL_KEY]: level } }),
    modern(`log/${level}-with-progress`, WORK, {
      meta: { [LOG_LEVEL_KEY]: level, progressToken: 7 },
    }),
  ],
)

const REMOVED = [
  'ping',
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
  'initialize',
  'sampling/createMessage',
  'roots/list',
  'elicitation/create',
]

const NOTIFICATIONS: readonly Case[] = [
  ['good', { 'mcp-protocol-version': MODERN, 'mcp-method': 'notifications/cancelled' }, {}],
  ['only-version-header', { 'mcp-protocol-version': MODERN }, {}],
  ['other-method-header', { 'mcp-protocol-version': MODERN, 'mcp-method': 'x' }, {}],
  ['envelope-only', {}, { _meta: ENVELOPE }],
  ['envelope-other-header', { 'mcp-protocol-version': '2025-11-25' }, { _meta: ENVELOPE }],
  ['odd-version', { 'mcp-protocol-version': MODERN }, { _meta: { ...ENVELOPE, [VERSION_KEY]: 5 } }],
  [
    'unsupported-version',
    { 'mcp-protocol-version': '2027-01-01' },
    { _meta: { ...ENVELOPE, [VERSION_KEY]: '2027-01-01' } },
  ],
].map(([name, headers, params]) =>
  post(
    `notification/modern/${name as string}`,
    {
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 1, ...(params as object) },
    },
    { headers: headers as Headers },
  ),
)

export const MODERN_CASES: readonly Case[] = [
  ...MESSAGES.map((message) => modern(`message/${message.name}`, message)),
  modern('message/discover', { method: 'server/discover' }),
  modern('message/discover-extra', { method: 'server/discover', params: { more: 1 } }),
  ...REMOVED.map((method) => modern(`removed/${method}`, { method })),
  modern('removed/initialize-with-params', {
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'c', version: '1' },
    },
  }),
  modern('listen/nothing', { method: 'subscriptions/listen', params: { notifications: {} } }),
  ...[0, -1, 1.5, '', 'one'].map((id) => modern(`id/${odd(id)}`, LIST, { id })),
  ...[null, true, {}].map((id) => modern(`id/${odd(id)}`, LIST, { id })),
  ...INPUT,
  ...LOGGING,
  ...NOTIFICATIONS,
  post(
    'modern/response',
    { jsonrpc: '2.0', id: 1, result: {} },
    {
      headers: { 'mcp-protocol-version': MODERN },
    },
  ),
  post(
    'modern/header-only/list',
    { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    {
      headers: { 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/list' },
    },
  ),
  post(
    'modern/header-only/initialize',
    { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: MODERN } },
    {
      headers: { 'mcp-protocol-version': MODERN },
    },
  ),
]
