/**
 * Polls a task until it ends.
 *
 * Source: extension `io.modelcontextprotocol/tasks` (SEP-2663).
 */
import {
  CancelledError,
  type ClientError,
  ConnectionError,
  RpcError,
  TimeoutError,
  ViolationError,
} from '../errors.ts'
import { pause } from '../wait.ts'
import { type Progress, progressOf } from './progress.ts'
import { isObject } from '../is-object.ts'

export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks'

export interface FollowOptions {
  /** Ends the wait, and the job. */
  signal?: AbortSignal
  onProgress?: (progress: Progress) => void
}

export interface TaskAsker {
  ask(
    method: string,
    params: Record<string, unknown>,
    signal?: AbortSignal,
  ): Promise<Record<string, unknown>>
  /** Answers the requests of a task to its client; without it, a task with such a request is cancelled. */
  answer?(requests: Record<string, unknown>): Promise<Record<string, unknown>>
}

const DEFAULT_INTERVAL_MS = 1000
const SHORTEST_INTERVAL_MS = 50
const LONGEST_INTERVAL_MS = 30_000
/** Milliseconds a server may be unreachable or silent during a job, for example while it restarts. */
const PATIENCE_MS = 30_000

/**
 * Returns the result of the task that `created` describes.
 *
 * @throws {RpcError} when the task failed. @throws {CancelledError} when it was cancelled elsewhere. Throws the
 * signal's reason when `signal` fires; the task is then cancelled.
 */
export async function followTask(
  server: TaskAsker,
  created: Readonly<Record<string, unknown>>,
  { signal, onProgress }: FollowOptions = {},
): Promise<Record<string, unknown>> {
  const { taskId } = created
  if (typeof taskId !== 'string') throw new ViolationError('a task without taskId was started')
  try {
    let told: string | undefined
    const onAway = () => {
      told = undefined
      onProgress?.({ message: 'The server does not answer; trying again' })
    }
    for (let task = created; ; task = await look(server, taskId, { signal, onAway })) {
      const end = await endOf(server, taskId, task)
      if (end) return end
      const now = progressIn(task)
      const news = JSON.stringify(now)
      if (news !== told && news !== '{}') {
        told = news
        onProgress?.(now)
      }
      await pause(intervalOf(task), signal)
    }
  } catch (error) {
    const wanted = !(error instanceof RpcError || isCancelled(error)) || signal?.aborted
    // The result is no longer awaited, so the server can stop working on it. A failed cancellation changes nothing.
    if (wanted) await server.ask('tasks/cancel', { taskId }).catch(() => {})
    throw error
  }
}

/** Where a gateway of ftl has the numbers: a task of the protocol has none. */
const PROGRESS_KEY = 'ftl/progress'

function progressIn({ statusMessage, _meta }: Readonly<Record<string, unknown>>): Progress {
  const numbers = isObject(_meta) ? _meta[PROGRESS_KEY] : undefined
  return {
    ...(isObject(numbers) && progressOf({ ...numbers, message: undefined })),
    ...(typeof statusMessage === 'string' && { message: statusMessage }),
  }
}

async function endOf(
  server: TaskAsker,
  taskId: string,
  task: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown> | undefined> {
  const { status, result, error, inputRequests, statusMessage } = task
  if (status === 'completed') {
    if (isObject(result)) return result
    throw new ViolationError('a completed task has no result')
  }
  if (status === 'failed') {
    const { code, message, data } = isObject(error) ? error : {}
    throw new RpcError(
      typeof code === 'number' ? code : -32603,
      [message, statusMessage].find((text) => typeof text === 'string') ?? 'the task failed',
      data,
    )
  }
  if (status === 'cancelled') throw new CancelledError('the task was cancelled by somebody else')
  if (status === 'input_required' && isObject(inputRequests)) {
    if (Object.keys(inputRequests).length === 0) return undefined
    if (!server.answer)
      throw new ViolationError('the task asks for input, which this client cannot give')
    const inputResponses = await server.answer(inputRequests)
    await server.ask('tasks/update', { taskId, inputResponses })
  }
  return undefined
}

interface LookOptions {
  signal: AbortSignal | undefined
  /** The server is unreachable or silent; called once. */
  onAway: () => void
}

/** Requests the task; repeats the request while the server is unreachable or silent, for `PATIENCE_MS`. */
async function look(
  server: TaskAsker,
  taskId: string,
  { signal, onAway }: LookOptions,
): Promise<Record<string, unknown>> {
  let until: number | undefined
  for (;;) {
    try {
      return await server.ask('tasks/get', { taskId }, signal)
    } catch (error) {
      if (signal?.aborted || !mayPass(error)) throw error
      if (until === undefined) onAway()
      until ??= performance.now() + PATIENCE_MS
      if (performance.now() > until) throw withTask(error, taskId)
      await pause(DEFAULT_INTERVAL_MS, signal)
    }
  }
}

function intervalOf({ pollIntervalMs }: Readonly<Record<string, unknown>>): number {
  const wished = typeof pollIntervalMs === 'number' ? pollIntervalMs : DEFAULT_INTERVAL_MS
  return Math.min(Math.max(wished, SHORTEST_INTERVAL_MS), LONGEST_INTERVAL_MS)
}

/** The same error with the id by which the user can ask for the result later. */
function withTask(error: TimeoutError | ConnectionError, taskId: string): ClientError {
  const message = `${error.message}. The task ${taskId} may still be running`
  return error instanceof TimeoutError
    ? new TimeoutError(message, { cause: error })
    : new ConnectionError(message, { status: error.status, cause: error })
}

/** Whether the next request may succeed. */
function mayPass(error: unknown): error is TimeoutError | ConnectionError {
  if (error instanceof TimeoutError) return true
  return error instanceof ConnectionError && (error.status ?? 503) >= 500
}

const isCancelled = (error: unknown) => error instanceof CancelledError
