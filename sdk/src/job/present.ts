/**
 * All that jobs need, in one place: a component without jobs is built without it (`imports` in package.json).
 *
 * @module
 */
import { answerJob, answerOutput, waitForJob } from '../serve/jobs.ts'
import { withJobs } from './handlers.ts'
import { IdempotencyKeyReuse } from './idempotency.ts'
import { startJob } from './start.ts'

export { answerJob, answerOutput, startJob, waitForJob, withJobs }

/** Whether a call was refused because its idempotency key belongs to another. */
export function isKeyReuse(error: unknown): boolean {
  return error instanceof IdempotencyKeyReuse
}

export interface Jobs {
  answerJob: typeof answerJob
  answerOutput: typeof answerOutput
  startJob: typeof startJob
  waitForJob: typeof waitForJob
  withJobs: typeof withJobs
  isKeyReuse: typeof isKeyReuse
}
