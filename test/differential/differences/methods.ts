import { type Difference, legacySpec, modernSpec } from './difference.ts'

const PLAIN =
  'A client without a version header, such as curl, gets the errors of the API reference, which has codes of its own.'
const NO_LOG =
  'A client that named no version may not know log messages, and asked for none; servers decide what to send then.'
const ODD_META =
  'What is odd in _meta of the older revisions says nothing the gateway needs, so the call is made without it.'

const NOTHING_THERE =
  'The method is served and what it names is not there: a component that comes later may offer it. Lists are refused.'

/** Tools, prompts, resources, completions. */
export const METHOD_DIFFERENCES: readonly Difference[] = [
  {
    cases: /^modern\/message\/tasks-(get|cancel)$/,
    ours: '400 error -32021',
    official: '404 error -32601',
    why: 'Tasks are served, to clients that declare the extension on that request. The SDK has none.',
    see: 'https://modelcontextprotocol.io/extensions/tasks',
  },
  {
    cases: /^modern\/message\/discover(-extra)?$|^tools-only\/modern\/discover$/,
    ours: 'result.capabilities.extensions = {"io.modelcontextprotocol/tasks":{}}',
    official: 'result.capabilities.extensions = absent',
    why: 'Tasks are served; the SDK has none.',
    see: 'https://modelcontextprotocol.io/extensions/tasks',
  },
  {
    cases: /^modern\/param\/argument-null$/,
    ours: '200 result',
    official: '200 result isError',
    why: 'Several agent frameworks send null for an optional argument that a model left out. It counts as absent.',
  },
  {
    cases: /-list-foreign-cursor$/,
    ours: '200 error -32602',
    official: '200 result',
    why: 'An invalid cursor should be an error. The SDK takes any: it has one page only.',
    see: modernSpec('server/utilities/pagination'),
  },
  {
    cases:
      /-list-cursor-number$|\/(prompt-argument-number|prompt-no-name|read-no-uri|read-uri-number|complete-no-ref|complete-no-argument|complete-odd-ref|set-level-odd|set-level-none)$/,
    ours: '200 error -32602',
    official: '200 error -32603',
    why: 'Parameters that do not fit are invalid params. The SDK reports its own schema error as internal.',
    see: modernSpec('basic/index#error-codes'),
  },
  {
    cases: /^legacy\/none\/call-(missing-arguments?|wrong-argument-type|extra-argument-forbidden)$/,
    ours: '200 error -32602',
    official: '200 result isError',
    why: PLAIN,
  },
  {
    cases: /^legacy\/none\/call-(unknown(-\w+)?|name-case)$/,
    ours: '200 error -32001',
    official: '200 error -32602',
    why: PLAIN,
  },
  {
    cases: /\/call-arguments-null$/,
    ours: '200 result isError',
    official: '200 error -32602',
    why: 'Models write null for "no arguments"; the tool runs, here the one that fails.',
  },
  {
    cases: /^legacy\/none\/call-slow$/,
    ours: '200 result',
    official: '200 message, result',
    why: NO_LOG,
    see: legacySpec('server/utilities/logging'),
  },
  {
    cases: /^legacy\/none\/call-slow-with-progress(-number)?$/,
    ours: '200 progress, progress, result',
    official: '200 progress, progress, message, result',
    why: NO_LOG,
    see: legacySpec('server/utilities/logging'),
  },
  {
    cases: /^(legacy\/none|modern\/message)\/call-slow-with-odd-progress$/,
    ours: '200 result',
    official: '400 error -32600',
    why: 'A progress token that is no token cannot be used, so there is no progress; the call is good.',
  },
  {
    cases: /^legacy\/20.*\/call-slow-with-odd-progress$/,
    ours: '200 message, result',
    official: '400 error -32600',
    why: ODD_META,
  },
  {
    cases: /^legacy\/.*\/call-meta-(null|string)$/,
    ours: '200 result',
    official: '400 error -32600',
    why: ODD_META,
  },
  {
    cases: /^modern\/message\/call-meta-(null|string)$/,
    ours: '400 error -32602',
    official: '400 error -32600',
    why: 'A request without the required fields of _meta is answered with invalid params.',
    see: modernSpec('basic/index#meta'),
  },
  {
    cases: /^legacy\/.*\/read-(unknown|template-too-deep|not-a-uri)$/,
    ours: '200 error -32002',
    official: '200 error -32602',
    why: 'These revisions name a code of its own for it; the newest took it back.',
    see: legacySpec('server/resources#error-handling'),
  },
  {
    cases: /\/read-template-itself$/,
    ours: 'result.contents[0].uri = "test://items/{id}"',
    official: 'result.contents[0].uri = "test://items/%7Bid%7D"',
    why: 'The gateway hands the uri to the component as it came; the SDK passes it through URL first.',
  },
  {
    cases: /\/read-template-itself$/,
    ours: 'result.contents[0].text = "This is test://items/{id}"',
    official: 'result.contents[0].text = "This is test://items/%7Bid%7D"',
    why: 'As above: the text is made of the uri.',
  },
  {
    cases: /^legacy\/.*\/(un)?subscribe$/,
    ours: '200 result',
    official: '200 error -32601',
    why: 'Taken without being declared: clients subscribe to what they read, and nothing ever changes.',
    see: legacySpec('server/resources#subscriptions'),
  },
  {
    cases: /^legacy\/.*\/subscribe-unknown$/,
    ours: '200 error -32002',
    official: '200 error -32601',
    why: 'As it is taken, it is also checked.',
    see: legacySpec('server/resources#error-handling'),
  },
  {
    cases: /^legacy\/.*\/subscribe-none$/,
    ours: '200 error -32602',
    official: '200 error -32601',
    why: 'As it is taken, it is also checked.',
  },
  {
    cases: /^tools-only\/legacy\/(prompt-|complete-)/,
    ours: '200 error -32602',
    official: '200 error -32601',
    why: NOTHING_THERE,
    see: legacySpec('server/prompts#error-handling'),
  },
  {
    cases: /^tools-only\/legacy\/(read-|subscribe)/,
    ours: '200 error -32002',
    official: '200 error -32601',
    why: NOTHING_THERE,
    see: legacySpec('server/resources#error-handling'),
  },
  {
    cases: /^tools-only\/modern\/(prompt-|complete-|read-)/,
    ours: '200 error -32602',
    official: '404 error -32601',
    why: NOTHING_THERE,
    see: modernSpec('server/resources#error-handling'),
  },
]
