/** What became of a prompt: `/jobs` of servers since 0.6, history and queue of older ones. */
import { asObject, isObject } from 'ftl-contract'
import { ComfyError } from './errors.ts'
import { exchange, type HttpOptions, jsonOf, readOk, unexpected } from './http.ts'
import {
  type ComfyJob,
  fromHistory,
  fromJobView,
  fromQueue,
  hasNoOutputs,
  UNKNOWN_JOB,
} from './job.ts'
import { asList, asNumber } from './narrow.ts'

/** What is known of a server; the same object for all requests of a client. */
export interface ServerTraits {
  /** It has no `/jobs`. */
  legacy?: boolean
}

/** Outputs may follow the end of a prompt by some milliseconds. */
const OUTPUT_LOOKS = 4
const OUTPUT_WAIT_MS = 200
/** A prompt on its way from the queue to history may be in neither. */
const SECOND_LOOK_MS = 300

export interface LookOptions {
  /**
   * The server took the prompt earlier, so not knowing it means that it was lost. Told after a second look.
   *
   * @default false
   */
  accepted?: boolean
}

/** @throws {ComfyError} when the server does not answer: that is not the same as `unknown`. */
export async function lookUp(
  http: HttpOptions,
  traits: ServerTraits,
  promptId: string,
  { accepted = false }: LookOptions = {},
): Promise<ComfyJob> {
  let job = await lookOnce(http, traits, promptId)
  if (accepted && job.status === 'unknown') {
    await pause(SECOND_LOOK_MS)
    job = await lookOnce(http, traits, promptId)
  }
  for (let look = 1; look < OUTPUT_LOOKS && hasNoOutputs(job); look++) {
    await pause(OUTPUT_WAIT_MS)
    job = await lookOnce(http, traits, promptId)
  }
  return accepted && job.status === 'unknown' ? lostJob() : job
}

/**
 * Prompts before this one, the running one included; 0 while it runs itself, `undefined` when it is not in the queue.
 */
export async function position(
  http: HttpOptions,
  traits: ServerTraits,
  promptId: string,
): Promise<number | undefined> {
  const { running, pending } =
    (traits.legacy ? undefined : await listJobs(http, traits)) ?? (await listQueue(http))
  if (running.includes(promptId)) return 0
  const rank = pending.sort((a, b) => a.number - b.number).findIndex(({ id }) => id === promptId)
  return rank === -1 ? undefined : rank + running.length
}

async function lookOnce(
  http: HttpOptions,
  traits: ServerTraits,
  promptId: string,
): Promise<ComfyJob> {
  const id = encodeURIComponent(promptId)
  if (!traits.legacy) {
    const reply = await exchange(http, `/jobs/${id}`)
    const body = jsonOf(reply)
    if (reply.status === 200 && isObject(body)) return fromJobView(body)
    if (reply.status === 404 && isObject(body)) return UNKNOWN_JOB
    if (reply.status !== 404 && reply.status !== 405) throw unexpected(reply)
    traits.legacy = true
  }
  const readHistory = async () => asObject(readOk(await exchange(http, `/history/${id}`)))[promptId]
  const entry = await readHistory()
  if (isObject(entry)) return fromHistory(entry)
  const queued = fromQueue(asObject(readOk(await exchange(http, '/queue'))), promptId)
  if (queued.status !== 'unknown') return queued
  // It may have moved from the queue to history between the two looks.
  const late = await readHistory()
  return isObject(late) ? fromHistory(late) : UNKNOWN_JOB
}

interface Waiting {
  running: string[]
  pending: { id: string; number: number }[]
}

/** Lighter than `/queue`, which carries every workflow. */
async function listJobs(http: HttpOptions, traits: ServerTraits): Promise<Waiting | undefined> {
  const reply = await exchange(http, '/jobs?status=pending,in_progress')
  const body = jsonOf(reply)
  if (!isObject(body) && (reply.status === 404 || reply.status === 405)) {
    traits.legacy = true
    return undefined
  }
  const jobs = asList(asObject(readOk(reply)).jobs).map(asObject)
  return {
    running: jobs.filter(({ status }) => status === 'in_progress').map(({ id }) => String(id)),
    pending: jobs
      .filter(({ status }) => status === 'pending')
      .map(({ id, priority }) => ({ id: String(id), number: asNumber(priority) ?? 0 })),
  }
}

async function listQueue(http: HttpOptions): Promise<Waiting> {
  const { queue_running, queue_pending } = asObject(readOk(await exchange(http, '/queue')))
  return {
    running: asList(queue_running).map((item) => String(asList(item)[1])),
    pending: asList(queue_pending).map((item) => {
      const [number, id] = asList(item)
      return { id: String(id), number: asNumber(number) ?? 0 }
    }),
  }
}

function lostJob(): ComfyJob {
  const text =
    'The job was lost: ComfyUI no longer knows it, because it was restarted or the job was removed from its queue.'
  return { ...UNKNOWN_JOB, status: 'failed', error: new ComfyError('server_lost', text) }
}

// Not the pause of ftl-contract: its signal would make each component with a job larger.
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
