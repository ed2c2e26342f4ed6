/** Revision 2026-07-28: good messages with every kind of bad envelope and bad header. */
import type { Case, Headers } from './case.ts'
import {
  CAPABILITIES_KEY,
  CLIENT_KEY,
  LOG_LEVEL_KEY,
  MODERN,
  modern,
  PREFIX,
  sentinel,
  VERSION_KEY,
} from './modern-request.ts'

const LIST = { method: 'tools/list' }
const CALL = { method: 'tools/call', params: { name: 'echo', arguments: { message: 'x' } } }
const READ = { method: 'resources/read', params: { uri: 'test://static' } }

const ODD = [null, 5, 'x', true, []]
const odd = (value: unknown) => JSON.stringify(value)

const ENVELOPES: readonly Case[] = [
  modern('envelope/no-client-info', LIST, { meta: { [CLIENT_KEY]: undefined } }),
  modern('envelope/no-capabilities', LIST, { meta: { [CAPABILITIES_KEY]: undefined } }),
  modern('envelope/no-version', LIST, { meta: { [VERSION_KEY]: undefined } }),
  ...ODD.flatMap((value) => [
    modern(`envelope/version-${odd(value)}`, LIST, { meta: { [VERSION_KEY]: value } }),
    modern(`envelope/capabilities-${odd(value)}`, LIST, { meta: { [CAPABILITIES_KEY]: value } }),
    modern(`envelope/client-info-${odd(value)}`, LIST, { meta: { [CLIENT_KEY]: value } }),
    modern(`envelope/log-level-${odd(value)}`, LIST, { meta: { [LOG_LEVEL_KEY]: value } }),
  ]),
  modern('envelope/client-info-empty', LIST, { meta: { [CLIENT_KEY]: {} } }),
  modern('envelope/log-level-debug', LIST, { meta: { [LOG_LEVEL_KEY]: 'debug' } }),
  modern('envelope/odd-capability', LIST, { meta: { [CAPABILITIES_KEY]: { sampling: 5 } } }),
  modern('envelope/unknown-capability', LIST, { meta: { [CAPABILITIES_KEY]: { x: {} } } }),
  modern('envelope/foreign-key', LIST, { meta: { [`${PREFIX}other`]: 1 } }),
  ...['2025-11-25', '2027-01-01', '1999-01-01', 'x', ''].map((version) =>
    modern(`envelope/both-say-${version || 'empty'}`, LIST, {
      meta: { [VERSION_KEY]: version },
      headers: { 'mcp-protocol-version': version },
    }),
  ),
]

const HEADERS: readonly Case[] = [
  ...[undefined, '2025-11-25', '2027-01-01', 'x', ` ${MODERN} `].map((value) =>
    modern(`header/version-${value?.replaceAll(' ', '_') ?? 'none'}`, LIST, {
      headers: { 'mcp-protocol-version': value },
    }),
  ),
  ...[undefined, 'tools/call', 'TOOLS/LIST', 'Tools/List', ' tools/list ', ''].map((value) =>
    modern(`header/method-${value?.replaceAll(' ', '_') ?? 'none'}`, LIST, {
      headers: { 'mcp-method': value },
    }),
  ),
  ...[
    ['none', undefined],
    ['other', 'add'],
    ['other-case', 'ECHO'],
    ['spaces', ' echo '],
    ['empty', ''],
    ['base64', sentinel('ZWNobw==')],
    ['base64-unpadded', sentinel('ZWNobw')],
    ['base64-upper-marker', '=?BASE64?ZWNobw==?='],
    ['base64-empty', sentinel('')],
    ['base64-not', sentinel('!!!!')],
    ['base64-not-utf8', sentinel('/w==')],
    ['base64-inner-space', sentinel('ZWNo bw==')],
    ['base64-url-alphabet', sentinel('ZWNo-w==')],
    ['base64-open', '=?base64?ZWNobw=='],
    ['base64-other', sentinel('YWRk')],
  ].map(([name, value]) => modern(`header/name-${name}`, CALL, { headers: { 'mcp-name': value } })),
  modern('header/name-of-a-resource-none', READ, { headers: { 'mcp-name': undefined } }),
  modern('header/name-of-a-resource-other', READ, { headers: { 'mcp-name': 'test://x' } }),
  modern('header/name-where-none-belongs', LIST, { headers: { 'mcp-name': 'echo' } }),
  modern(
    'header/name-without-params-name',
    { method: 'tools/call', params: {} },
    {
      headers: { 'mcp-name': 'echo' },
    },
  ),
  modern('header/session', LIST, { headers: { 'mcp-session-id': 'abc' } }),
  modern('header/last-event', LIST, { headers: { 'last-event-id': '7' } }),
]

const region = (name: string, args: object, headers: Headers) =>
  modern(
    `param/${name}`,
    { method: 'tools/call', params: { name: 'region', arguments: args } },
    { headers },
  )

const PARAMS: readonly Case[] = [
  region('text', { region: 'eu' }, { 'mcp-param-region': 'eu' }),
  region('text-missing', { region: 'eu' }, {}),
  region('text-other', { region: 'eu' }, { 'mcp-param-region': 'us' }),
  region('text-case', { region: 'eu' }, { 'mcp-param-region': 'EU' }),
  region('text-spaces', { region: 'eu' }, { 'mcp-param-region': ' eu ' }),
  region('text-base64', { region: 'zürich' }, { 'mcp-param-region': sentinel('esO8cmljaA==') }),
  region('text-base64-not', { region: 'zürich' }, { 'mcp-param-region': sentinel('%%%') }),
  region('text-empty', { region: '' }, { 'mcp-param-region': '' }),
  region('argument-missing', {}, { 'mcp-param-region': 'eu' }),
  region('argument-null', { region: null }, {}),
  region('argument-wrong-type', { region: 5 }, { 'mcp-param-region': '5' }),
  region('argument-object', { region: {} }, {}),
  region('number', { level: 42 }, { 'mcp-param-level': '42' }),
  region('number-decimal-point', { level: 42 }, { 'mcp-param-level': '42.0' }),
  region('number-exponent', { level: 42 }, { 'mcp-param-level': '4.2e1' }),
  region('number-hexadecimal', { level: 42 }, { 'mcp-param-level': '0x2a' }),
  region('number-plus', { level: 42 }, { 'mcp-param-level': '+42' }),
  region('number-other', { level: 42 }, { 'mcp-param-level': '43' }),
  region('number-no-integer', { level: 1.5 }, { 'mcp-param-level': '1.5' }),
  region('boolean', { deep: true }, { 'mcp-param-deep': 'true' }),
  region('boolean-case', { deep: true }, { 'mcp-param-deep': 'True' }),
  region('boolean-one', { deep: true }, { 'mcp-param-deep': '1' }),
  region('undeclared', {}, { 'mcp-param-other': 'x' }),
]

export const MODERN_HEADER_CASES: readonly Case[] = [...ENVELOPES, ...HEADERS, ...PARAMS]
