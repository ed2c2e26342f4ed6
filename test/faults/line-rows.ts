import { EXTERNAL_URL } from '../support/application.ts'
import { type Expected, failed, NO_RESULT, says, unreachable } from './expected.ts'
import { AFTER_WORK, AT_DEADLINE, AT_ONCE, CALL_TIMEOUT_MS, type Fault, SECRET } from './fault.ts'

function row(
  name: string,
  how: string,
  expected: Expected,
  more: Partial<Fault> & { progress: readonly unknown[] },
): Fault {
  return { name, how, expected, maxMs: AT_ONCE, ...more }
}

const BROKEN_OFF = 'The tool broke off its answer.'
const TOO_LONG = 'The tool answered more than 8388608 bytes.'

/** Lines that have come when the deadline ends an answer without end. */
const FEWEST_LINES = EXTERNAL_URL === undefined ? 15 : 5

/** Answers that break while they are sent line by line, with and without a listening client. */
export const LINE_ROWS: readonly Fault[] = [
  row('lines_throw', 'throws after a line', failed('lines_throw', BROKEN_OFF), {
    progress: [1],
    logged: SECRET,
  }),
  row('lines_end', 'ends without a result', failed('lines_end', BROKEN_OFF), { progress: [1, 2] }),
  row('lines_empty', 'ends before it begins', failed('lines_empty', BROKEN_OFF), { progress: [] }),
  // Half a line may count as an invalid line or as the end of the answer.
  row('lines_cut_off', 'throws in a line', failed('lines_cut_off', /^The tool (broke|answered)/), {
    progress: [1],
    logged: SECRET,
  }),
  row('lines_html', 'sends a line of HTML', failed('lines_html', NO_RESULT), { progress: [1] }),
  row('lines_odd_type', 'sends an unknown line', failed('lines_odd_type', NO_RESULT), {
    progress: [1],
  }),
  row('lines_odd_level', 'logs at a level of its own', failed('lines_odd_level', NO_RESULT), {
    progress: [],
  }),
  row('lines_odd_result', 'sends a result that is none', failed('lines_odd_result', NO_RESULT), {
    progress: [1],
  }),
  row('lines_odd_error', 'sends an error that is none', failed('lines_odd_error', NO_RESULT), {
    progress: [],
  }),
  row('lines_two_results', 'sends two results', says('first'), { progress: [1] }),
  // Only numbers that increase are sent; a first value that is not a number counts as 0.
  row('lines_odd_progress', 'goes forth and back', says('done'), { progress: [0, 3] }),
  row(
    'lines_for_ever',
    'sends lines and no result',
    unreachable('lines_for_ever', `The tool gave no answer within ${CALL_TIMEOUT_MS} ms.`),
    // One each 100 ms; on a busy machine Spin needs more than 200 ms for each.
    { maxMs: AT_DEADLINE, progress: Array.from({ length: FEWEST_LINES }, (_, index) => index + 1) },
  ),
  row('lines_flood', 'sends more lines than anybody reads', failed('lines_flood', TOO_LONG), {
    ...AFTER_WORK,
    progress: Array.from({ length: 100 }, (_, index) => index + 1),
  }),
  row('lines_one_endless', 'sends a line without end', failed('lines_one_endless', TOO_LONG), {
    ...AFTER_WORK,
    progress: [],
    maxGrowth: 512 * 1024 * 1024,
  }),
]
