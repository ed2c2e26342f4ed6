/** How a job that failed is written down. */
import { ToolError } from '../tool/errors.ts'
import type { JobFailure, OwnJob } from './definition.ts'

/** JSON-RPC error code of a job that failed; the first of those left to servers. */
const JOB_FAILED = -32000

export function failedWith(
  { message, kind, data }: JobFailure,
  prefix = '',
): Pick<OwnJob, 'status' | 'message' | 'error'> {
  const text = `${prefix}${message}`
  const details = { ...(kind !== undefined && { kind }), ...data }
  return {
    status: 'failed',
    message: text,
    error: {
      code: JOB_FAILED,
      message: text,
      ...(Object.keys(details).length > 0 && { data: details }),
    },
  }
}

/** What of an error of the author's code may be shown. */
export function toFailure(error: unknown): JobFailure | undefined {
  if (!(error instanceof ToolError)) return undefined
  return { message: error.message, ...(error.data && { data: error.data }) }
}
