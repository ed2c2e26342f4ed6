import type { KnownJob } from './known-jobs.ts'

/** Long enough for the number to mean something. */
const LEAST_MS = 2000

/** Milliseconds until the end, if the job goes on as it did. @param now milliseconds since 1970 */
export function timeLeft(
  {
    state,
    startedAt,
    progress,
    total,
  }: Pick<KnownJob, 'state' | 'startedAt' | 'progress' | 'total'>,
  now: number,
): number | undefined {
  const passed = now - startedAt
  if (state !== 'working' || passed < LEAST_MS || !progress || !total) return undefined
  return progress >= total ? undefined : (passed * (total - progress)) / progress
}

export function leftWords(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  return `about ${seconds < 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`} left`
}
