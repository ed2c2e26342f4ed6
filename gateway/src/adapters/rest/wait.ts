/**
 * How long a client wants to wait for a job.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7240
 */
import { badRequest } from './refusal.ts'

/**
 * Milliseconds by `?wait=` or `Prefer: wait=`, both in seconds; 0 by `Prefer: respond-async` alone.
 *
 * A preference that makes no sense is ignored, as its RFC has it; a query that makes none is a mistake.
 *
 * @returns `undefined` when nothing is said.
 * @throws {Refusal}
 */
export function waitOf({ url, headers }: Request): number | undefined {
  const asked = new URL(url).searchParams.get('wait')
  if (asked !== null) {
    if (/^\d+(\.\d+)?$/.test(asked)) return Number(asked) * 1000
    throw badRequest('wait must be a number of seconds.', 'wait')
  }
  const preferences = (headers.get('prefer') ?? '').toLowerCase().split(/[,;]/)
  for (const preference of preferences) {
    const [, seconds] = /^\s*wait\s*=\s*"?(\d+)"?\s*$/.exec(preference) ?? []
    if (seconds !== undefined) return Number(seconds) * 1000
  }
  return preferences.some((preference) => preference.trim() === 'respond-async') ? 0 : undefined
}
