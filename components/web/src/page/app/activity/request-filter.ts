/** Which requests the table shows. */
import { isFine, type RequestActivity } from './request-activity.ts'

export interface RequestFilter {
  /** Part of a tool, component, caller, path or id. */
  words: string
  outcome: 'all' | 'error' | 'running'
  /** At least so many milliseconds. */
  slow: number
  /** Also files of the page, and other reads that succeeded. */
  hasReads: boolean
}

export const NO_FILTER: RequestFilter = { words: '', outcome: 'all', slow: 0, hasReads: false }

export function matchesFilter(
  request: RequestActivity,
  { words, outcome, slow, hasReads }: RequestFilter,
): boolean {
  if (!hasReads && isRead(request)) return false
  if (request.ms < slow) return false
  if (outcome === 'error' && isFine(request.outcome)) return false
  if (outcome === 'running' && request.outcome !== 'running') return false
  const wanted = words.trim().toLowerCase()
  if (wanted === '') return true
  const { id, path, rpc, target, principal, components, calls } = request
  const texts = [id, path, rpc, target, principal, ...components, ...calls.map(({ tool }) => tool)]
  return texts.some((text) => text?.toLowerCase().includes(wanted))
}

/** Not a call: a page that is opened makes forty of these. */
function isRead({ method, outcome, rpc, calls }: RequestActivity): boolean {
  return method === 'GET' && isFine(outcome) && rpc === undefined && calls.length === 0
}
