/**
 * Jobs as MCP tasks, for clients that declare to follow them.
 *
 * @see https://modelcontextprotocol.io/extensions/tasks
 */
import { isObject, type JobRecord } from 'ftl-contract'
import { originOf } from '../../../calls/client-request.ts'
import { outcomeOfJob } from '../../../invoke/answer.ts'
import { withAbsoluteOutputs } from '../../../invoke/output-links.ts'
import { textParam } from '../core/params.ts'
import { readableContent } from '../core/readable-content.ts'
import type { Exchange } from '../exchange.ts'
import { INTERNAL_ERROR, invalidParams, type RpcRequest } from '../json-rpc.ts'
import type { Envelope } from './envelope.ts'
import { missingCapability } from './errors.ts'

const TASKS = 'io.modelcontextprotocol/tasks'

/** In the capabilities of the gateway and, where it follows tasks, of the client. */
export const TASKS_EXTENSION = { extensions: { [TASKS]: {} } }

export function followsTasks({ capabilities: { extensions } }: Envelope): boolean {
  return isObject(extensions) && isObject(extensions[TASKS])
}

/** The job in the form of a task. */
export function taskOf(job: JobRecord): object {
  const { id, status, message, createdAt, updatedAt, expiresAt, pollIntervalMs, progress } = job
  const { value, total } = progress ?? {}
  return {
    taskId: id,
    status,
    statusMessage: message,
    // A task of the protocol has no numbers, and its clients are sent no progress.
    _meta: value === undefined ? undefined : { 'ftl/progress': { progress: value, total } },
    createdAt,
    lastUpdatedAt: updatedAt,
    ttlMs: Math.max(0, Date.parse(expiresAt) - Date.parse(createdAt)),
    pollIntervalMs: Math.max(1, Math.round(pollIntervalMs)),
  }
}

/**
 * `tasks/get`, `tasks/update` and `tasks/cancel`.
 *
 * @param finished completes the result of the task itself.
 * @returns `undefined` for any other method.
 * @throws {RpcFailure}
 */
export async function answerTask(
  { gateway: { jobs }, scope, request }: Exchange,
  { method, params }: RpcRequest,
  envelope: Envelope,
  finished: (value: object) => object,
): Promise<object | undefined> {
  const action = /^tasks\/(get|update|cancel)$/.exec(method)?.[1]
  if (action === undefined) return undefined
  if (!followsTasks(envelope)) throw missingCapability(TASKS_EXTENSION)
  const id = textParam(params, 'taskId', 'the id of a task')
  const { inputResponses = action === 'update' ? undefined : {} } = params
  if (!isObject(inputResponses)) throw invalidParams('params.inputResponses must be an object')
  const job =
    action === 'get'
      ? await jobs.read(scope, id)
      : action === 'cancel'
        ? await jobs.cancel(scope, id)
        : await jobs.answer(scope, id, inputResponses)
  if (!job) throw invalidParams('there is no such task, or it has expired')
  if (action !== 'get') return {}
  const task = taskOf(job)
  if (job.status === 'input_required') return { ...task, inputRequests: job.inputRequests ?? {} }
  if (job.status !== 'completed' && job.status !== 'failed') return task
  const end = outcomeOfJob(job)
  if (end.kind === 'result') {
    const result = withAbsoluteOutputs(end.result, originOf(request), scope.links)
    return { ...task, result: finished(readableContent(result, { request }, { params })) }
  }
  // A job that ended without a usable result has failed, whatever its status.
  const message = 'message' in end ? end.message : 'The tool failed.'
  return { ...task, status: 'failed', error: job.error ?? { code: INTERNAL_ERROR, message } }
}
