/** What `GET /activity` says about a request, whether or not it was watched. */
import type { RequestEntry } from '../requests/request-entry.ts'
import type { ActivityOutcome } from './activity-types.ts'

export const MAX_TEXT = 256
export const MAX_METHOD = 32
export const MAX_PATH = 512
export const MAX_AGENT = 200

/** Bytes of a request without its texts. */
export const OWN_BYTES = 600

/**
 * How it ended, in the words of the audit log.
 *
 * @param entry `undefined` while it runs.
 * @param reported by the gateway: an answer of 200 can be a tool that failed.
 */
export function outcomeOf(
  entry: Pick<RequestEntry, 'outcome' | 'status'> | undefined,
  reported: ActivityOutcome | undefined,
): ActivityOutcome {
  if (!entry) return 'running'
  if (entry.outcome === 'left') return 'cancelled'
  if (entry.outcome === 'cut') return 'failed'
  if (reported !== undefined) return reported
  if (entry.status === 504) return 'timeout'
  if (entry.status >= 500) return 'failed'
  if (entry.status === 401) return 'unauthenticated'
  if (entry.status === 403) return 'denied'
  if (entry.status === 404) return 'not_found'
  return entry.status >= 400 ? 'refused' : 'ok'
}

export const isFine = (outcome: ActivityOutcome): boolean =>
  ['ok', 'job', 'input_required', 'running'].includes(outcome)

/** Calls by plain HTTP name their tool in the path. */
export const toolOf = (path: string): string | undefined =>
  /^\/tools\/([\w.-]{1,128})$/.exec(path)?.[1]
