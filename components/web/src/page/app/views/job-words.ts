import type { State } from '../jobs/known-jobs.ts'

/** The state of a job, for people. */
export const STATE_WORDS: Readonly<Record<State, string>> = {
  working: 'working',
  input_required: 'waits for an answer',
  completed: 'done',
  failed: 'failed',
  cancelled: 'cancelled',
  expired: 'expired',
}
