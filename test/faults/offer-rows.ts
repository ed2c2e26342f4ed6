import {
  everywhere,
  type Expected,
  offerFailed,
  offerNeedsInput,
  unknownPrompt,
  unknownResource,
} from './expected.ts'
import { AT_DEADLINE, AT_ONCE, CALL_TIMEOUT_MS, type Fault, SECRET } from './fault.ts'

type What = 'prompt' | 'resource' | 'completion'

interface Request {
  method: string
  params: Readonly<Record<string, unknown>>
}

const REQUESTS: Record<What, (name: string) => Request> = {
  prompt: (name) => ({ method: 'prompts/get', params: { name } }),
  resource: (name) => ({ method: 'resources/read', params: { uri: uri(name) } }),
  completion: (name) => ({
    method: 'completion/complete',
    params: { ref: { type: 'ref/prompt', name }, argument: { name: 'value', value: 'x' } },
  }),
}

function uri(name: string): string {
  return `broken://${name}`
}

/** The same fault in a prompt, a resource and a completion. */
function rows(
  name: string,
  how: string,
  expected: (what: What) => Expected,
  more: Partial<Fault> = {},
): Fault[] {
  return (['prompt', 'resource', 'completion'] as const).map((what) => ({
    name,
    how: `${how} (${what})`,
    expected: expected(what),
    maxMs: AT_ONCE,
    ...REQUESTS[what](name),
    ...more,
  }))
}

const because = (reason: string) => (what: What) => offerFailed(`The ${what} ${reason}.`)
/** Only the request is named. */
const CRASHED = (what: What) =>
  offerFailed(new RegExp(`^The ${what} failed: internal error, request id [\\w-]+\\.$`))
const NO_RESULT = because('returned something that is not a result')

const GONE: Record<What, Expected> = {
  prompt: unknownPrompt(),
  resource: unknownResource(uri('gone')),
  // A component that completes nothing has nothing to suggest.
  completion: everywhere({ result: { completion: { values: [] } } }),
}

/** Prompts, resources and completions that break when they are asked for. */
export const OFFER_ROWS: readonly Fault[] = [
  ...rows('throws', 'throws', CRASHED, { logged: SECRET }),
  ...rows('hangs', 'never answers', because(`gave no answer within ${CALL_TIMEOUT_MS} ms`), {
    maxMs: AT_DEADLINE,
  }),
  ...rows('gone', 'does not know what it publishes', (what) => GONE[what]),
  ...rows('broken', 'answers 500 with its inside', CRASHED),
  ...rows('html', 'answers a page', NO_RESULT),
  ...rows('misshapen', 'answers the wrong shape', NO_RESULT),
  ...rows('accepts', 'answers with a job', NO_RESULT),
  // A completion cannot ask at all.
  ...rows('asks', 'asks what nobody can answer', (what) =>
    what === 'completion' ? NO_RESULT(what) : offerNeedsInput('roots'),
  ),
]
