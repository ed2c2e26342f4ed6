/**
 * A tool of a 2025-11-25 server that runs only as a task: the call follows the task to its end, as long as the caller waits.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks
 */
import { isObject, isString, pause } from 'ftl-contract'
import type { RemoteServer } from '../servers.ts'
import type { Left } from './connect.ts'
import { type Answer, ask, send } from './exchange.ts'
import { RemoteError } from './remote-error.ts'
import type { Call, Connection, Network } from './request.ts'

/** Milliseconds between two questions. */
const [SHORTEST_PAUSE, USUAL_PAUSE, LONGEST_PAUSE] = [100, 1_000, 5_000]
const LONGEST_ID = 1_024
const CANCEL_MS = 5_000

interface Task {
  taskId: string
  status: unknown
  statusMessage: unknown
  pollInterval: unknown
}

/** Sends a call. If the tool runs only as a task, yields the task's status as progress. @throws {RemoteError} */
export async function* sendCall(
  network: Network,
  server: RemoteServer,
  connection: Connection,
  call: Call,
  left: Left,
): Answer {
  if (!call.onlyAsTask) return yield* send(network, server, connection, call)
  const params = { ...call.params, task: { ttl: call.timeoutMs } }
  const started = yield* send(network, server, connection, { ...call, params })
  // Some servers answer at once all the same.
  if (started['task'] === undefined) return started
  try {
    return yield* followed(network, server, connection, { call, left, task: started['task'] })
  } catch (error) {
    // Without its status and code, which could say that nothing was started: the call would be sent again.
    throw error instanceof RemoteError ? new RemoteError(error.kind, error.message) : error
  }
}

async function* followed(
  network: Network,
  server: RemoteServer,
  connection: Connection,
  { call, left, task: started }: { call: Call; left: Left; task: unknown },
): Answer {
  let task = taskIn(started)
  const { limit, onNotice } = call
  const about = { params: { taskId: task.taskId }, limit, ...(onNotice && { onNotice }) }
  const following = () => ({ ...about, timeoutMs: left() })
  let isOver = false
  let progress = 0
  let shown: unknown
  try {
    // With a question of the server, which only the request for the result hears: it is refused there.
    while (task.status === 'working') {
      const { statusMessage: message } = task
      if (call.listens && isString(message) && message !== shown) {
        shown = message
        yield { kind: 'progress', params: { progress: ++progress, message } }
      }
      const [wanted, rest] = [pauseOf(task), left()]
      await pause(Math.min(wanted, rest))
      // A timer may end a moment early, and the time that is left then is too short for a question.
      if (wanted >= rest || left() <= 1)
        throw new RemoteError('timeout', `gave no result within ${call.timeoutMs} ms`)
      const next = await ask(network, server, connection, { ...following(), method: 'tasks/get' })
      task = taskIn({ ...next, taskId: task.taskId })
    }
    isOver = task.status !== 'input_required'
    const result = yield* send(network, server, connection, {
      ...following(),
      method: 'tasks/result',
    })
    isOver = true
    return result
  } finally {
    if (!isOver) {
      const cancel = { ...about, timeoutMs: CANCEL_MS, method: 'tasks/cancel' }
      network.waitUntil(ask(network, server, connection, cancel).catch(() => undefined))
    }
  }
}

/** @throws {RemoteError} */
function taskIn(value: unknown): Task {
  const { taskId, status, statusMessage, pollInterval } = isObject(value) ? value : {}
  if (isString(taskId) && taskId.length <= LONGEST_ID) {
    return { taskId, status, statusMessage, pollInterval }
  }
  throw new RemoteError('violation', 'answered with a task that has no id')
}

function pauseOf({ pollInterval }: Task): number {
  const wanted = typeof pollInterval === 'number' ? pollInterval : USUAL_PAUSE
  return Math.min(Math.max(wanted, SHORTEST_PAUSE), LONGEST_PAUSE)
}
