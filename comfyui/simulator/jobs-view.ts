/** Queue and history as `GET /jobs` shows them. */
import { type HistoryEntry, isFile, type PromptQueue, type QueueItem } from './queue.ts'

export const JOB_STATUSES = ['pending', 'in_progress', 'completed', 'failed', 'cancelled'] as const

/** Values of `sort_by`. */
export const JOB_ORDERS: readonly string[] = ['created_at', 'execution_duration']

export type JobView = Record<string, unknown> & { id: string; status: string; create_time: number }

/** One job with all details, or `undefined` when neither queue nor history has it. */
export function viewJob(
  { running, pending, history }: PromptQueue,
  id: string,
): JobView | undefined {
  const entry = history.get(id)
  if (running?.id === id) return viewQueued(running, 'in_progress')
  const waiting = pending.find((item) => item.id === id)
  if (waiting) return viewQueued(waiting, 'pending')
  if (!entry) return undefined
  return {
    ...viewFinished(entry),
    outputs: withoutNames(entry.outputs),
    execution_status: entry.status,
    workflow: { prompt: entry.prompt[2], extra_data: entry.prompt[3] },
  }
}

const MODEL_NAME = /\.(?:obj|fbx|gltf|glb|usdz)$/i

/** Names of 3D files become objects, with their folder in the name, and what is null is left out. */
function withoutNames(outputs: HistoryEntry['outputs']): HistoryEntry['outputs'] {
  const shown = (value: unknown) =>
    typeof value === 'string' && MODEL_NAME.test(value)
      ? { filename: value, type: 'output', subfolder: '', mediaType: '3d' }
      : value
  const nodes = Object.entries(outputs).map(([id, ui]) => {
    const keys = Object.entries(ui).map(([key, values]) => [
      key,
      values.filter((value) => value !== null).map(shown),
    ])
    return [id, Object.fromEntries(keys) as Record<string, unknown[]>] as const
  })
  return Object.fromEntries(nodes)
}

/**
 * A summary of every job, in no particular order.
 *
 * @param workflow id of the editor's workflow that the jobs came from; null for all.
 */
export function listJobs(
  { running, pending, history }: PromptQueue,
  workflow: string | null,
): JobView[] {
  const isWanted = (extraData: Record<string, unknown>) =>
    workflow === null || workflowId(extraData) === workflow
  return [
    ...(running && isWanted(running.extraData) ? [viewQueued(running, 'in_progress')] : []),
    ...pending
      .filter(({ extraData }) => isWanted(extraData))
      .map((item) => viewQueued(item, 'pending')),
    ...[...history.values()].filter(({ prompt }) => isWanted(prompt[3])).map(viewFinished),
  ]
}

/** The editor sends its workflow beside the prompt. */
function workflowId(extraData: Record<string, unknown>): unknown {
  interface Info {
    workflow?: { id?: unknown }
  }
  return (extraData.extra_pnginfo as Info | null | undefined)?.workflow?.id
}

function viewQueued(item: QueueItem, status: string): JobView {
  return {
    id: item.id,
    status,
    priority: item.number,
    create_time: createTime(item.extraData),
    outputs_count: 0,
    previewable_outputs_count: 0,
  }
}

function viewFinished({ prompt, outputs, status }: HistoryEntry): JobView {
  const [number, id, , extraData] = prompt
  const last = status.messages.at(-1)
  const files = Object.entries(outputs).flatMap(([nodeId, ui]) =>
    Object.entries(ui).flatMap(([mediaType, values]) =>
      values.filter(isFile).map((file) => ({ ...file, nodeId, mediaType })),
    ),
  )
  const preview = files.find(({ type }) => type === 'output') ?? files[0]
  return {
    id,
    status: statusOf(last?.[0]),
    priority: number,
    create_time: createTime(extraData),
    execution_start_time: status.messages[0]?.[1].timestamp,
    execution_end_time: last?.[1].timestamp,
    ...(last?.[0] === 'execution_error' && { execution_error: last[1] }),
    outputs_count: files.length,
    previewable_outputs_count: files.length,
    ...(preview && { preview_output: preview }),
  }
}

function statusOf(lastMessage: string | undefined): string {
  if (lastMessage === 'execution_success') return 'completed'
  return lastMessage === 'execution_interrupted' ? 'cancelled' : 'failed'
}

function createTime(extraData: Record<string, unknown>): number {
  return Number(extraData.create_time ?? 0)
}
