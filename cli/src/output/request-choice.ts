import type { RequestEntry } from 'ftl-host'

/**
 * Which requests are shown.
 *
 * - `all`: every one.
 * - `calls`: all but successful reads. Tool calls are POST; loading pages and images, and polling jobs every second,
 *   are reads.
 * - `problems`: answered with 500 or more, or cut off by the host.
 */
export const REQUEST_CHOICES = ['all', 'calls', 'problems', 'none'] as const
export type RequestChoice = (typeof REQUEST_CHOICES)[number]

const READS = ['GET', 'HEAD', 'OPTIONS']

/** Successful health checks are never shown: a line each second would hide everything else. */
const HEALTH = '/.well-known/spin/health'

export interface RequestFilter {
  choice: RequestChoice
  /** Only requests that reached one of these. @default all */
  follow?: readonly string[]
}

export function isShown(entry: RequestEntry, { choice, follow = [] }: RequestFilter): boolean {
  const { method, path, status, outcome, components } = entry
  if (choice === 'none' || (path === HEALTH && status === 200)) return false
  if (follow.length > 0 && !components.some((id) => follow.includes(id))) return false
  if (status >= 500 || outcome === 'cut') return true
  if (choice === 'problems') return false
  return choice === 'all' || status >= 400 || !READS.includes(method)
}
