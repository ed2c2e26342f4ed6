/** Looking at the work, and what a look makes of the record. */
import { logError } from '../tool/log.ts'
import type { AnyJob, JobContext, JobFailure, OwnJob, PollOutcome } from './definition.ts'
import { failedWith, toFailure } from './failure.ts'

/** Milliseconds. */
const SUBMIT_GRACE_MS = 30_000
const SILENCE_LIMIT_MS = 120_000
const UPSTREAM = 'the service behind it'

export type Outcome = PollOutcome<unknown>
type Change = Partial<OwnJob>

/** Never throws. */
export async function poll(definition: AnyJob, job: OwnJob, context: JobContext): Promise<Outcome> {
  try {
    return await definition.poll(job.upstream.state, context)
  } catch (error) {
    const failure = toFailure(error)
    if (failure) return { error: failure }
    logError(`job ${job.id} of tool ${job.tool} was not polled`, error)
    return 'unreachable'
  }
}

/**
 * @param seen the record the look began with.
 * @param latest the record as it is now.
 */
export function changeAfter(
  outcome: Outcome,
  { seen, latest, now }: { seen: OwnJob; latest: OwnJob; now: number },
  definition: AnyJob,
): Change {
  if (outcome === 'unreachable') return silence(undefined, latest, now, definition)
  if (outcome === 'lost') return lost(undefined, { seen, latest, now }, definition)
  if ('unreachable' in outcome) return silence(outcome.unreachable, latest, now, definition)
  if ('lost' in outcome) return lost(outcome.lost, { seen, latest, now }, definition)
  if ('error' in outcome) return fail(outcome.error, definition)
  if ('cancelled' in outcome) return { status: 'cancelled', message: outcome.cancelled }

  // Somebody knows of the work: it was accepted, and what was silent speaks again.
  const { silentSince, ...rest } = latest.upstream
  const { state } = outcome
  const upstream = { ...rest, phase: 'accepted' as const, ...(state !== undefined && { state }) }
  if ('result' in outcome) {
    const { result, message = 'Done' } = outcome
    return { status: 'completed', message, result, upstream }
  }
  const { message, progress, pollIntervalMs } = outcome
  return {
    upstream,
    ...(message !== undefined && { message }),
    ...(progress && { progress }),
    ...(pollIntervalMs !== undefined && { pollIntervalMs }),
  }
}

function lost(
  words: string | undefined,
  { seen, latest, now }: { seen: OwnJob; latest: OwnJob; now: number },
  definition: AnyJob,
): Change {
  const { submitGraceMs = SUBMIT_GRACE_MS, upstream = UPSTREAM } = definition
  // The look began before the work was there.
  if (seen.upstream.phase !== latest.upstream.phase) return {}
  const submitting = latest.upstream.phase === 'submitting'
  if (submitting && now - Date.parse(latest.createdAt) < submitGraceMs) return {}
  const what = submitting ? `before ${upstream} accepted it` : `: ${upstream} no longer knows it`
  const message = words ?? `The job was lost${submitting ? ' ' : ''}${what}.`
  return fail({ message, kind: 'server_lost' }, definition)
}

function silence(
  words: string | undefined,
  { upstream }: OwnJob,
  now: number,
  definition: AnyJob,
): Change {
  const { silenceLimitMs = SILENCE_LIMIT_MS } = definition
  const name = capitalized(definition.upstream ?? UPSTREAM)
  const silentSince = upstream.silentSince ?? new Date(now).toISOString()
  if (now - Date.parse(silentSince) > silenceLimitMs) {
    const reason = `${name} has not answered for ${duration(silenceLimitMs)}`
    const message = words === undefined ? `${reason}.` : `${reason}: ${words}`
    return fail({ message, kind: 'unreachable' }, definition)
  }
  return {
    message: words ?? `${name} does not answer; asking again`,
    upstream: { ...upstream, silentSince },
  }
}

function fail(failure: JobFailure, { errorPrefix }: AnyJob): Change {
  return failedWith(failure, errorPrefix)
}

/** For the words about a job that could not be cancelled. */
export function upstreamName({ upstream = UPSTREAM }: AnyJob): string {
  return upstream
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five']

function duration(milliseconds: number): string {
  const minutes = milliseconds / 60_000
  if (minutes < 2 || !Number.isInteger(minutes)) return `${Math.round(milliseconds / 1000)} s`
  return `${NUMBERS[minutes] ?? minutes} minutes`
}
