import { type Expected, failed, NO_RESULT } from './expected.ts'
import { AT_ONCE, type Fault } from './fault.ts'

function row(name: string, how: string, more: Partial<Fault> = {}): Fault {
  return { name, how, expected: failed(name, NO_RESULT), maxMs: AT_ONCE, ...more }
}

/** A plain client gets `stream/start` at once; the stream then reports that there is no such job. */
function lost(name: string): Expected {
  return {
    ...failed(name, 'The job has expired.'),
    plain: { answer: { method: 'stream/start' } },
  }
}

/** Invalid jobs. */
export const JOB_ROWS: readonly Fault[] = [
  row('job_missing', 'accepts without a job'),
  row('job_text', 'accepts in a text'),
  row('job_odd_id', 'accepts with an id that is a path'),
  row('job_odd_component', 'accepts for a component that is an address'),
  row('job_odd_status', 'accepts with an unknown status'),
  row('job_no_times', 'accepts without times'),
  row('job_lost', 'accepts a job that it then does not know', { expected: lost('job_lost') }),
  row('job_of_another', 'hands out a job of another component'),
]
