/** Which requests the table shows. */
import { isFine, type RequestActivity } from './request.ts'

export interface RequestFilter {
  /** Part of a tool, component, caller, path or id. */
  words: string
  outcome: 'all' | 'error' | 'running'
  /** At least so many milliseconds. */
  slow: number
}

export const NO_FILTER: RequestFilter = { words: '', outcome: 'all', slow: 0 }

export function matchesFilter(
  request: RequestActivity,
  { words, outcome, slow }: RequestFilter,
): boolean {
  if (request.ms < slow) return false
  if (outcome === 'error' && isFine(request.outcome)) return false
  if (outcome === 'running' && request.outcome !== 'running') return false
  const wanted = words.trim().toLowerCase()
  if (wanted === '') return true
  const { id, path, rpc, target, principal, components, calls } = request
  const texts = [id, path, rpc, target, principal, ...components, ...calls.map(({ tool }) => tool)]
  return texts.some((text) => text?.toLowerCase().includes(wanted))
}
