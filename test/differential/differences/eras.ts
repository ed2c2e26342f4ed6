import { type Difference, legacySpec, modernSpec } from './difference.ts'

const LENIENT_CLIENT =
  'Who the client is and what it can do is read where a call needs it; what is odd there denies nobody a list.'
const NOTHING_TO_DO =
  'Nothing a client notifies of changes anything here. This revision defines no notification and no headers for one.'
const STREAMABLE = modernSpec('basic/transports/streamable-http')

/** Handshake, envelope, headers, questions to the client. */
export const ERA_DIFFERENCES: readonly Difference[] = [
  ...['prompts', 'resources', 'tools'].map((kind) => ({
    cases:
      kind === 'tools'
        ? /^handshake\/initialize-("|under)|^tools-only\/initialize$|^(tools-only\/)?modern\/.*discover/
        : /^handshake\/initialize-("(?!0\.1\.0)|under)|^modern\/message\/discover/,
    ours: `result.capabilities.${kind}.listChanged = absent`,
    official: `result.capabilities.${kind}.listChanged = true`,
    why: 'No instance lives long enough to tell of changes, so none are promised. McpServer always promises them.',
  })),
  ...Object.entries({
    completions: '{}',
    logging: '{}',
    prompts: '{"listChanged":true}',
    resources: '{"listChanged":true}',
  }).map(([capability, official]) => ({
    cases: /^handshake\/initialize-"0\.1\.0"$/,
    ours: `result.capabilities.${capability} = absent`,
    official: `result.capabilities.${capability} = ${official}`,
    why: 'The API reference of that version shows this answer to the letter: it knows tools only.',
  })),
  {
    cases: /^handshake\/initialize-"0\.1\.0"$/,
    ours: 'result.protocolVersion = "0.1.0"',
    official: 'result.protocolVersion = "2025-11-25"',
    why: 'The version of the API reference.',
  },
  {
    cases: /^version-header\/0\.1\.0$/,
    ours: '200 result',
    official: '400 error -32000 id null',
    why: 'The version of the API reference.',
  },
  {
    cases: /^handshake\/initialize-"2024-10-07"$/,
    ours: 'result.protocolVersion = "2025-11-25"',
    official: 'result.protocolVersion = "2024-10-07"',
    why: 'A draft before the first revision; a server that does not know a version offers another.',
    see: legacySpec('basic/lifecycle#version-negotiation'),
  },
  {
    cases: /^version-header\/2024-10-07$/,
    ours: '400 error -32600',
    official: '200 result',
    why: 'A draft before the first revision, which is not served.',
    see: legacySpec('basic/transports#protocol-version-header'),
  },
  {
    cases: /^version-header\/1999-01-01$/,
    ours: '400 error -32600',
    official: '400 error -32000 id null',
    why: 'An error names the id of its request where that can be read; -32000 is for older implementations.',
    see: modernSpec('basic/index#error-codes'),
  },
  {
    cases: /^version-header\/x$/,
    ours: '400 error -32600',
    official: '400 error -32602',
    why: 'The SDK compares versions as text and finds "x" to be newer than 2026-07-28.',
  },
  {
    cases: /^handshake\/initialize-(5|no-version|no-params)$/,
    ours: '200 error -32602',
    official: '200 error -32603',
    why: 'Parameters that do not fit are invalid params. The SDK reports its own schema error as internal.',
    see: legacySpec('basic/lifecycle#error-handling'),
  },
  {
    cases: /^handshake\/initialize-no-client-info$/,
    ours: '200 result',
    official: '200 error -32603',
    why: LENIENT_CLIENT,
  },
  {
    cases: /^modern\/envelope\/(client-info-empty|odd-capability)$/,
    ours: '200 result',
    official: '400 error -32602',
    why: LENIENT_CLIENT,
    see: modernSpec('basic/index#meta'),
  },
  {
    cases: /^modern\/header\/name-without-params-name$/,
    ours: '400 error -32020',
    official: '200 error -32602',
    why: 'A header that repeats a value the body does not have does not match it.',
    see: `${STREAMABLE}#server-validation`,
  },
  {
    cases: /^modern\/input\/answers-(array|null)$/,
    ours: '200 error -32602',
    official: '200 result input_required',
    why: 'What is no map of answers is an invalid parameter. The SDK leaves it out and asks again.',
    see: modernSpec('basic/patterns/mrtr#error-handling'),
  },
  {
    cases: /^notification\/modern\/(other-method-header|envelope-other-header)$/,
    ours: '202 empty',
    official: '400 error -32020 id null',
    why: NOTHING_TO_DO,
    see: `${STREAMABLE}#sending-messages`,
  },
  {
    cases: /^notification\/modern\/odd-version$/,
    ours: '202 empty',
    official: '400 error -32602 id null',
    why: NOTHING_TO_DO,
    see: `${STREAMABLE}#sending-messages`,
  },
  {
    cases: /^notification\/modern\/unsupported-version$/,
    ours: '202 empty',
    official: '400 error -32022 id null',
    why: NOTHING_TO_DO,
    see: `${STREAMABLE}#sending-messages`,
  },
  {
    cases: /^modern\/response$/,
    ours: '202 empty',
    official: '400 error -32000 id null',
    why: 'A response answers nothing that was asked and is dropped, in every revision alike.',
    see: `${STREAMABLE}#sending-messages`,
  },
]
