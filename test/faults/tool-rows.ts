import {
  everywhere,
  type Expected,
  failed,
  needsInput,
  NO_RESULT,
  says,
  unknownTool,
  unreachable,
} from './expected.ts'
import { AFTER_WORK, AT_DEADLINE, AT_ONCE, CALL_TIMEOUT_MS, type Fault, SECRET } from './fault.ts'

type More = Partial<Omit<Fault, 'name' | 'how' | 'expected'>>

function row(name: string, how: string, expected: Expected, more: More = {}): Fault {
  return { name, how, expected, maxMs: AT_ONCE, ...more }
}

/** A call with one argument, which the tool's own schema is asked about. */
function checked(name: string, how: string, reason: string | RegExp, more: More = {}): Fault {
  const params = { name, arguments: { value: 'text' } }
  return row(name, how, failed(name, reason), { params, ...more })
}

/** Of a crash, whatever it said, only the request is named. */
const status = (name: string, code: number) =>
  failed(
    name,
    code >= 500
      ? /^The tool failed: internal error, request id [\w-]+\.$/
      : `The tool answered with status ${code}.`,
  )
const odd = (name: string, how: string) => row(name, how, failed(name, NO_RESULT))
const late = (name: string, how: string) =>
  row(name, how, unreachable(name, `The tool gave no answer within ${CALL_TIMEOUT_MS} ms.`), {
    maxMs: AT_DEADLINE,
  })
const huge = (name: string) => failed(name, 'The tool answered more than 8388608 bytes.')
const broken = (what: string) => `The tool's result does not match its outputSchema: ${what}.`

/** Tools that break when they are called. */
export const TOOL_ROWS: readonly Fault[] = [
  row('throws', 'throws', status('throws', 500), { logged: SECRET }),
  row('rejects_late', 'rejects after 300 ms', status('rejects_late', 500), { logged: SECRET }),
  row('rejects_behind', 'answers well while something it forgot rejects', says('done')),
  row('recurses', 'calls itself without end', status('recurses', 500), {
    logged: 'Maximum call stack',
  }),
  late('hangs', 'never answers'),
  late('drips', 'sends a space now and then'),
  late('stalls', 'stops in the middle of its answer'),

  row('not_found', 'does not know its own tool', unknownTool('not_found')),
  row('server_error', 'answers 500 with its inside', status('server_error', 500)),
  row('forbidden', 'answers 403 with its inside', status('forbidden', 403)),
  row('redirects', 'sends the gateway elsewhere', status('redirects', 302)),
  row('no_content', 'answers 204', status('no_content', 204)),

  odd('html', 'answers a page'),
  odd('empty', 'answers nothing'),
  odd('cut_off', 'answers half a result'),
  row('breaks_off', 'throws in the middle', failed('breaks_off', /^The tool broke/), {
    logged: SECRET,
  }),
  odd('nothing', 'answers null'),
  odd('text_content', 'answers a text where a list must be'),
  odd('typeless_content', 'answers content without a type'),
  odd('odd_error_flag', 'answers an isError that is no boolean'),
  odd('deep', 'answers 10 000 levels'),
  row('gigabyte', 'answers a gigabyte', huge('gigabyte'), {
    ...AFTER_WORK,
    maxGrowth: 512 * 1024 * 1024,
  }),
  row('exhausts_buffers', 'takes all memory', status('exhausts_buffers', 500), {
    ...AFTER_WORK,
    logged: 'out of memory',
  }),
  row('exhausts_arrays', 'fills all memory', status('exhausts_arrays', 500), {
    ...AFTER_WORK,
    logged: 'out of memory',
  }),

  row(
    'breaks_promise',
    'answers against its outputSchema',
    failed('breaks_promise', broken('structuredContent.n must be number')),
  ),
  row(
    'forgets_promise',
    'answers without what its outputSchema promises',
    failed('forgets_promise', broken('structuredContent is missing')),
  ),
  // The list leaves the schema out, so clients expect nothing of the result.
  row(
    'odd_promise',
    'has an outputSchema that is none',
    everywhere({ result: { structuredContent: { n: 1 } } }),
  ),
  checked('odd_dialect', 'has an inputSchema of an unknown dialect', /inputSchema .*\$schema/),
  checked('invalid_schema', 'has an inputSchema that is none', /inputSchema .*not a valid/),
  checked('invalid_pattern', 'has a pattern that is none', /inputSchema .*pattern "\("/),
  checked('endless_schema', 'has an inputSchema that refers to itself', /inputSchema .*itself/),

  row('asks', 'asks what nobody can answer', needsInput('asks', 'elicitation')),
  odd('asks_nothing', 'asks, but nothing'),
  odd('asks_in_text', 'asks in a text'),
  odd('asks_without_method', 'asks without saying what kind of question it is'),
  odd('asks_with_odd_state', 'asks with a state that is no string'),
]
