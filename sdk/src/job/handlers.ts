/** Reads and cancels the jobs that the SDK stores, and serves their files. */
import { isFinal, OUTPUTS_PATH, parseOutputName } from 'ftl-contract'
import type { ToolContext } from '../tool/context.ts'
import type { Tool } from '../tool/create-tool.ts'
import type { JobHandlers, ToolSet } from '../tool/create-tools.ts'
import { ToolError } from '../tool/errors.ts'
import { logError } from '../tool/log.ts'
import { jobContext } from './context.ts'
import type { AnyJob, CancelOutcome, OwnJob } from './definition.ts'
import { changeAfter, type Outcome, poll, upstreamName } from './poll.ts'
import { type JobStore, openJobStore } from './store.ts'

/**
 * Milliseconds a read waits for the service. After that it returns the stored record, and the poll goes on behind it:
 * a service that does not answer must not block every reader for as long as its timeout.
 */
const READ_LIMIT_MS = 700

/** Milliseconds in which a poll that goes on behind a read is the only one, so that readers do not add up requests. */
const SOLE_POLL_MS = 10_000

interface Found {
  job: OwnJob
  definition: AnyJob
  store: JobStore
}

/**
 * Adds handlers for the tools made with `job` to those that the author wrote.
 *
 * @param others for jobs of tools outside the set, which are known only at run time.
 */
export function withJobs(set: ToolSet, others?: AnyJob): ToolSet {
  const definitions = definitionsOf(set.tools)
  if (definitions.size === 0 && !others) return set
  const definitionOf = (tool: string) => definitions.get(tool) ?? others
  const find = (id: string, context: ToolContext) => findJob(definitionOf, id, context)
  const jobs: JobHandlers = {
    async get(id, context) {
      const found = await find(id, context)
      return found ? read(found, context) : set.jobs?.get(id, context)
    },
    async cancel(id, context) {
      const found = await find(id, context)
      return found ? cancel(found, context) : set.jobs?.cancel(id, context)
    },
  }
  const output: NonNullable<ToolSet['output']> = async (name, context, request) => {
    const file = parseOutputName(name)
    const found = file && (await find(file.jobId, context))
    const mine = found && jobContext(context, found.store, found.job)
    const { state } = found?.job.upstream ?? {}
    const answer = mine && found.definition.files?.({ ...file, name }, state, mine, request)
    return (await answer) ?? (await set.output?.(name, context, request)) ?? noSuchFile()
  }
  return {
    ...set,
    jobs,
    output,
    // As if it had been asked for at its address.
    file: (name, context) =>
      output(name, context, new Request(`http://${context.component}${OUTPUTS_PATH}${name}`)),
  }
}

function definitionsOf(tools: Tool[]): Map<string, AnyJob> {
  return new Map(
    tools.flatMap(({ description, job }) => (job ? [[description.name, job] as const] : [])),
  )
}

async function findJob(
  definitionOf: (tool: string) => AnyJob | undefined,
  id: string,
  context: ToolContext,
): Promise<Found | undefined> {
  const store = await openJobStore(context)
  const job = await store.read(id)
  const definition = job && definitionOf(job.tool)
  return definition && { job, definition, store }
}

async function read(found: Found, context: ToolContext): Promise<OwnJob | undefined> {
  const { job, store } = found
  const { platform } = context
  const now = platform.now()
  if (isFinal(job) || isWithin(job.pollIntervalMs, job.updatedAt, now)) return job
  const { pollingSince } = job.upstream
  if (pollingSince !== undefined && isWithin(SOLE_POLL_MS, pollingSince, now)) return job
  if (!(await store.takePoll(job))) return store.read(job.id)
  let isPolled = false
  let marked = Promise.resolve<OwnJob | undefined>(undefined)
  const refresh = look(found, context).then(async (outcome) => {
    isPolled = true
    // Two changes of the record at once could overwrite each other.
    await marked
    return settle(found, outcome, context)
  })
  await settledWithin(READ_LIMIT_MS, refresh)
  if (isPolled) return refresh
  marked = store.settle(job.id, ({ upstream }) => ({
    upstream: { ...upstream, pollingSince: new Date(now).toISOString() },
  }))
  platform.waitUntil(
    refresh.catch((error: unknown) => logError(`job ${job.id} of tool ${job.tool}`, error)),
  )
  return marked
}

/** Waits until the work has settled, or for the limit. */
async function settledWithin(limitMs: number, work: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs)
  })
  await Promise.race([work, limit]).finally(() => clearTimeout(timer))
}

/** Whether less than `limitMs` have passed since then; a time in the future does not count. */
function isWithin(limitMs: number, since: string, now: number): boolean {
  const age = now - Date.parse(since)
  return age >= 0 && age < limitMs
}

async function cancel(found: Found, context: ToolContext): Promise<OwnJob | undefined> {
  const { job, definition, store } = found
  if (isFinal(job)) return job
  const outcome = await stop(found, context)
  if (outcome === 'ended') {
    const end = await look(found, context)
    // The service does not know lost work, so nothing can continue and the job counts as cancelled.
    if (!isLost(end)) return settle(found, end, context)
  } else if (outcome !== 'cancelled') {
    const message = outcome === 'unreachable' ? notCancelled(definition) : outcome.unreachable
    // Not cancelled: the work may still be running.
    return store.settle(job.id, () => ({ message }))
  }
  return store.settle(job.id, () => ({ status: 'cancelled', message: 'Cancelled' }))
}

function isLost(outcome: Outcome): boolean {
  return outcome === 'lost' || (typeof outcome === 'object' && 'lost' in outcome)
}

async function stop(
  { job, definition, store }: Found,
  context: ToolContext,
): Promise<CancelOutcome> {
  if (!definition.cancel) return 'cancelled'
  try {
    return await definition.cancel(job.upstream.state, jobContext(context, store, job))
  } catch (error) {
    if (error instanceof ToolError) return { unreachable: `Not cancelled: ${error.message}` }
    logError(`job ${job.id} of tool ${job.tool} was not cancelled`, error)
    return 'unreachable'
  }
}

function look({ job, definition, store }: Found, context: ToolContext): Promise<Outcome> {
  return poll(definition, job, jobContext(context, store, job))
}

// Another request may have ended the job during the poll, and a final status never changes.
function settle(
  { job, definition, store }: Found,
  outcome: Outcome,
  { platform }: ToolContext,
): Promise<OwnJob | undefined> {
  return store.settle(job.id, (latest) => {
    const { pollingSince, ...upstream } = latest.upstream
    const seen = { seen: job, latest: { ...latest, upstream }, now: platform.now() }
    return { upstream, ...changeAfter(outcome, seen, definition) }
  })
}

function notCancelled(definition: AnyJob): string {
  return `Not cancelled: ${upstreamName(definition)} could not be reached`
}

function noSuchFile(): Response {
  const error = { code: 'output_not_found', message: 'There is no such file, or it has expired.' }
  return Response.json({ error }, { status: 404 })
}
