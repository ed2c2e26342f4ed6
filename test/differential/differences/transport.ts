import { type Difference, legacySpec, modernSpec } from './difference.ts'

const ACCEPT =
  'The specification asks clients for both types and servers for nothing; curl and several clients send less.'
const LENIENT_FORM =
  'Members that JSON-RPC does not know are ignored, and params: null is read as none.'
const OWN_CODE = '-32000 is for older implementations; new ones should not use it.'
const EACH_ANSWERED = 'Each message of an array has an answer of its own, also one that is none.'
const JSON_RPC = 'https://www.jsonrpc.org/specification'
const NO_BATCH = 'Arrays were removed in this revision.'
const NO_BATCH_SEE = legacySpec('changelog', '2025-06-18')
const RESPONSES = 'Responses answer nothing that was asked, so their form is not looked at.'

/** HTTP and JSON-RPC. */
export const TRANSPORT_DIFFERENCES: readonly Difference[] = [
  {
    cases: /^id\/legacy\/(9007199254740992|beyond-doubles)$/,
    ours: '400 error -32600 id null',
    official: '400 error -32600 id 9007199254740992',
    why: 'What was read is the neighbour of the number that was sent; under that id nobody waits.',
    see: modernSpec('basic/index#responses'),
  },
  {
    cases: /^accept\/legacy\/(none|anything|only-json|only-events|html)$/,
    ours: '200 result',
    official: '406 error -32000 id null',
    why: ACCEPT,
    see: legacySpec('basic/transports#sending-messages-to-the-server'),
  },
  {
    cases: /^accept\/notification\/(none|anything|only-json|only-events|html)$/,
    ours: '202 empty',
    official: '406 error -32000 id null',
    why: ACCEPT,
    see: legacySpec('basic/transports#sending-messages-to-the-server'),
  },
  {
    cases: /^modern\/accept\/(none|anything|only-json|html)-progress$/,
    ours: '200 result',
    official: '200 progress, progress, result',
    why: 'A client that did not say it reads event streams gets none.',
    see: modernSpec('basic/transports/streamable-http#sending-messages'),
  },
  {
    cases: /content-type\/(legacy\/)?plus$/,
    ours: '200 result',
    official: '415 error -32000 id null',
    why: 'Any type that is JSON is read as JSON; a page cannot send one without a preflight either.',
    see: 'https://fetch.spec.whatwg.org/#cors-safelisted-request-header',
  },
  {
    cases: /content-type\/(legacy\/)?(text|form|prefix|json-in-parameter|empty)$/,
    ours: '415 error -32600 id null',
    official: '415 error -32000 id null',
    why: OWN_CODE,
    see: modernSpec('basic/index#error-codes'),
  },
  {
    cases: /^size\//,
    ours: '413 error -32600 id null',
    official: '413 error -32000 id null',
    why: OWN_CODE,
    see: modernSpec('basic/index#error-codes'),
  },
  {
    cases: /^notification\/legacy\/unknown-version$/,
    ours: '400 error -32600 id null',
    official: '400 error -32000 id null',
    why: OWN_CODE,
    see: modernSpec('basic/index#error-codes'),
  },
  {
    cases: /^(id\/legacy|modern\/id)\/1\.5$/,
    ours: '200 result id 1.5',
    official: '400 error -32600 id 1.5',
    why: 'JSON-RPC allows fractions in an id, if it advises against them, and the answer finds its request.',
    see: `${JSON_RPC}#request_object`,
  },
  {
    cases: /^body\/(none|legacy)\/(params-null|extra-member|request-and-result|proto)$/,
    ours: '200 result',
    official: '400 error -32600',
    why: LENIENT_FORM,
    see: `${JSON_RPC}#request_object`,
  },
  {
    cases: /^body\/modern\/(params-null|extra-member|request-and-result|proto)$/,
    ours: '400 error -32602',
    official: '400 error -32600',
    why: `${LENIENT_FORM} What remains lacks _meta.`,
    see: modernSpec('basic/index#meta'),
  },
  {
    cases: /^body\/\w+\/params-(array|string)$/,
    ours: '400 error -32602',
    official: '400 error -32600',
    why: 'Parameters that are no object are invalid params; JSON-RPC itself allows arrays.',
    see: `${JSON_RPC}#parameter_structures`,
  },
  {
    cases: /^notification\/legacy\/params-array$/,
    ours: '400 error -32602 id null',
    official: '400 error -32600 id null',
    why: 'Parameters that are no object are invalid params; JSON-RPC itself allows arrays.',
    see: `${JSON_RPC}#parameter_structures`,
  },
  {
    cases: /^body\/\w+\/(no-method|method-number|method-null)$/,
    ours: '400 error -32600',
    official: '400 error -32600 id null',
    why: 'An error names the id of its request where that can be read.',
    see: modernSpec('basic/index#error-responses'),
  },
  {
    cases: /^notification\/legacy\/(error-null-id|result-and-error|result-no-id|error-odd)$/,
    ours: '202 empty',
    official: '400 error -32600 id null',
    why: RESPONSES,
  },
  {
    cases: /^batch\/2026-07-28\/(?!empty|invalid-element|nested-array|modern-element)/,
    ours: '400 error -32600 id null',
    official: '400 error -32000 id null',
    why: OWN_CODE,
    see: modernSpec('basic/index#error-codes'),
  },
  {
    cases: /^batch\/2025-06-18\/(one|same-id-twice|request-and-notification|request-and-response)$/,
    ours: '400 error -32600 id null',
    official: '200 [result]',
    why: NO_BATCH,
    see: NO_BATCH_SEE,
  },
  {
    cases: /^batch\/2025-06-18\/two$/,
    ours: '400 error -32600 id null',
    official: '200 [result, result id 2]',
    why: NO_BATCH,
    see: NO_BATCH_SEE,
  },
  {
    cases: /^batch\/2025-06-18\/only-(notifications|responses)$/,
    ours: '400 error -32600 id null',
    official: '202 empty',
    why: NO_BATCH,
    see: NO_BATCH_SEE,
  },
  {
    cases: /^batch\/2025-06-18\/unknown-method$/,
    ours: '400 error -32600 id null',
    official: '200 [result, error -32601 id 2]',
    why: NO_BATCH,
    see: NO_BATCH_SEE,
  },
  {
    cases: /^batch\/2025-06-18\/initialize$/,
    ours: '400 error -32600 id null',
    official: '200 [error -32603]',
    why: NO_BATCH,
    see: NO_BATCH_SEE,
  },
  {
    cases: /^batch\/(none|2025-03-26)\/initialize$/,
    ours: '200 [error -32600]',
    official: '200 [error -32603]',
    why: 'The handshake must not be part of an array; refused here, and there only for its missing members.',
    see: legacySpec('basic/lifecycle#initialization', '2025-03-26'),
  },
  {
    cases: /^batch\/(none|2025-03-26)\/same-id-twice$/,
    ours: '200 [result, result]',
    official: '200 [result]',
    why: EACH_ANSWERED,
    see: `${JSON_RPC}#batch`,
  },
  {
    cases: /^batch\/(none|2025-03-26)\/invalid-element$/,
    ours: '200 [result, error -32600 id null]',
    official: '400 error -32600 id null',
    why: EACH_ANSWERED,
    see: `${JSON_RPC}#batch`,
  },
  {
    cases: /^batch\/(none|2025-03-26)\/nested-array$/,
    ours: '200 [error -32600 id null]',
    official: '400 error -32600 id null',
    why: EACH_ANSWERED,
    see: `${JSON_RPC}#batch`,
  },
]
