/** The jobs this browser has started: each under a key of its own, so that tabs never overwrite each other's. */
import { onSaved, load, save, savedKeys } from '../local-storage.ts'
import { asRecord, count, text } from '../net/api.ts'
import { createStore } from '../store.ts'

// Before what is read with them.
const STATES = ['working', 'input_required', 'completed', 'failed', 'cancelled', 'expired'] as const

/** `expired`: the gateway has forgotten it. */
export type State = (typeof STATES)[number]

export interface KnownJob {
  id: string
  tool: string
  /** Not known of a job that a model has started and not yet told of. */
  arguments?: Record<string, unknown>
  /** Milliseconds since 1970. */
  startedAt: number
  state: State
  message?: string
  progress?: number
  total?: number
  /** Why it failed. */
  error?: string
  result?: unknown
  /** The connection to it is lost, and being tried again. */
  isLost?: boolean
}

const KEY = 'job.'
/** Jobs remembered; the oldest go first. */
const MOST = 200
/** How long an expired job stays in the list, from its start. */
const EXPIRED_KEPT_MS = 86_400_000
/** Characters of a result that is kept; a longer one is read again from the gateway. */
const LONGEST_RESULT = 50_000

export const jobs = createStore<ReadonlyMap<string, KnownJob>>(readAll())

onSaved((key, value) => {
  if (!key.startsWith(KEY)) return
  const job = toJob(value)
  const id = key.slice(KEY.length)
  jobs.set((known) => changed(known, id, job && { ...known.get(id), ...job }))
})

export function isOver({ state }: Pick<KnownJob, 'state'>): boolean {
  return state !== 'working' && state !== 'input_required'
}

/** The newest first. */
export function newestFirst(known: ReadonlyMap<string, KnownJob>): KnownJob[] {
  return [...known.values()].sort((a, b) => b.startedAt - a.startedAt)
}

export function addJob(job: Pick<KnownJob, 'id' | 'tool' | 'arguments'>): void {
  const known = jobs.get().get(job.id)
  put({ startedAt: Date.now(), state: 'working', ...known, ...job })
  for (const { id } of newestFirst(jobs.get()).slice(MOST)) forgetJob(id)
}

/** Adds the job that a line of a chat names, unless it is known, and what the line says about it. */
export function noteJob(line: {
  jobId?: string
  tool?: string
  arguments?: Record<string, unknown>
  progress?: number
  total?: number
}): void {
  const { jobId: id, tool = 'tool', arguments: args, progress, total } = line
  if (id === undefined) return
  if (!jobs.get().has(id)) addJob({ id, tool })
  if (args !== undefined) changeJob(id, { arguments: args })
  if (progress !== undefined) changeJob(id, { progress, total })
}

export function changeJob(id: string, change: Partial<KnownJob>): void {
  const known = jobs.get().get(id)
  // What was forgotten while it ran stays forgotten, and an end is an end.
  if (!known || (isOver(known) && change.state === 'working')) return
  put({ ...known, ...change })
}

export function forgetJob(id: string): void {
  jobs.set((known) => changed(known, id, undefined))
  save(KEY + id, undefined)
}

export function put(job: KnownJob): void {
  jobs.set((known) => changed(known, job.id, job))
  const { isLost, result, ...kept } = job
  const isSmall = (value: unknown) => JSON.stringify(value ?? null).length <= LONGEST_RESULT
  // A picture as an argument would fill the storage, so such a job cannot be varied after a reload.
  if (!isSmall(kept.arguments)) delete kept.arguments
  save(KEY + job.id, { ...kept, ...(isSmall(result) && { result }) })
}

function changed(
  known: ReadonlyMap<string, KnownJob>,
  id: string,
  job: KnownJob | undefined,
): ReadonlyMap<string, KnownJob> {
  const next = new Map(known)
  if (job) next.set(id, job)
  else next.delete(id)
  return next
}

function readAll(): ReadonlyMap<string, KnownJob> {
  const read = savedKeys(KEY).flatMap((id) => toJob(load(KEY + id)) ?? [])
  // The gateway has forgotten them, too.
  const isOld = ({ state, startedAt }: KnownJob) =>
    state === 'expired' && startedAt < Date.now() - EXPIRED_KEPT_MS
  for (const { id } of read.filter(isOld)) save(KEY + id, undefined)
  return new Map(read.filter((job) => !isOld(job)).map((job) => [job.id, job]))
}

/** What a server or an older page has called it. */
export function toState(value: unknown): State | undefined {
  return STATES.find((state) => state === value)
}

function toJob(value: unknown): KnownJob | undefined {
  const record = asRecord(value)
  const { id, tool, startedAt } = record
  const state = toState(record['state'])
  if (typeof id !== 'string' || typeof tool !== 'string' || !state) return undefined
  return {
    id,
    tool,
    state,
    startedAt: count(startedAt) ?? 0,
    result: record['result'],
    ...(record['arguments'] !== undefined && { arguments: asRecord(record['arguments']) }),
    message: text(record['message']),
    error: text(record['error']),
    progress: count(record['progress']),
    total: count(record['total']),
  }
}
