/** The audit line of a job's end. */
import { isoTime } from '../iso-time.ts'
import { isFinal, type JobRecord } from 'ftl-contract'
import type { Scope } from '../scope.ts'
import type { AuditOutcome } from './audit-line.ts'
import { shortText } from '../short-text.ts'
import { write } from './audit.ts'

/**
 * Writes a line if the job has ended between the two records. The record is stored with it, so the next reader of the
 * job finds no end to report.
 *
 * @param before `undefined` for a job that is new.
 */
export function auditJobEnd(scope: Scope, before: JobRecord | undefined, after: JobRecord): void {
  if (!isFinal(after) || (before && isFinal(before)) || !scope.settings.callSettings.audit) return
  writeEnd(scope, after, outcomeOf(after), reasonOf(after))
}

/** The component no longer has the job, which had not ended when it was last read. */
export function auditLostJob(scope: Scope, job: JobRecord): void {
  if (isFinal(job) || !scope.settings.callSettings.audit) return
  writeEnd(scope, job, 'failed', 'The component no longer has the job.')
}

function writeEnd(
  { platform, requestId }: Scope,
  job: JobRecord,
  outcome: AuditOutcome,
  reason: string | undefined,
): void {
  const { id, component, tool, owner, createdAt, updatedAt } = job
  write({
    event: 'job',
    time: isoTime(platform.now()),
    request: requestId,
    principal: owner,
    component,
    tool: shortText(tool),
    outcome,
    reason: shortText(reason),
    job: id,
    ms: Math.max(0, Date.parse(updatedAt) - Date.parse(createdAt)),
  })
}

function outcomeOf({ status, result }: JobRecord): AuditOutcome {
  if (status === 'cancelled') return 'cancelled'
  if (status === 'failed') return 'failed'
  return result && 'isError' in result && result.isError ? 'tool_error' : 'ok'
}

function reasonOf({ status, error, message }: JobRecord): string | undefined {
  return status === 'failed' ? (error?.message ?? message) : undefined
}
