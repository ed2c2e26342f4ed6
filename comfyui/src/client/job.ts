/**
 * What a server tells of a prompt, in one form: `/jobs/{id}` of newer servers, `/history/{id}` and `/queue` of
 * older ones.
 */
import { asObject, isObject } from 'ftl-contract'
import { ComfyError, presentable } from './errors.ts'
import { outputsOf } from './job-outputs.ts'
import { asList, asNumber, asText, type Json } from './narrow.ts'

/** `unknown`: the server has never heard of the prompt, has forgotten it, or it was cancelled while it waited. */
export type JobState = 'unknown' | 'pending' | 'running' | 'completed' | 'failed' | 'cancelled'

/** A file a prompt made. */
export interface OutputFile {
  filename: string
  subfolder: string
  /** `output` is kept, `temp` is gone with the server's next start. */
  type: string
  /** The node that made it. */
  nodeId: string
  /** The key it was listed under, for example `images`, `gifs` or `audio`; says little of its type. */
  mediaKey: string
}

export interface ComfyJob {
  status: JobState
  /** Kept files first. */
  files: OutputFile[]
  /** Texts that text nodes showed. */
  texts: string[]
  /** Set when the job failed or was cancelled. */
  error?: ComfyError
  /** Nodes that did not run, because ComfyUI kept their outputs from an earlier prompt; their files may be deleted. */
  cachedNodes?: string[]
  /** Milliseconds since the epoch, where the server tells. */
  startedAt?: number
  endedAt?: number
}

/** How PyTorch (CUDA, MPS, CPU) and Python say it. */
const OUT_OF_MEMORY =
  /OutOfMemory|^MemoryError|out of memory|Allocation on device|not enough memory|can't allocate memory/i

/** A node of a paid service without the key of an account, or with one that the service does not take. */
const NEEDS_LOGIN = /^Unauthorized: Please login\b/i

export const UNKNOWN_JOB: ComfyJob = { status: 'unknown', files: [], texts: [] }

/** Whether a finished job shows nothing, which may still come. */
export function hasNoOutputs({ status, files, texts }: ComfyJob): boolean {
  return status === 'completed' && files.length === 0 && texts.length === 0
}

/** From `GET /jobs/{id}`. */
export function fromJobView(view: Json): ComfyJob {
  const startedAt = asNumber(view.execution_start_time)
  const endedAt = asNumber(view.execution_end_time)
  const common = {
    ...outputsOf(view.outputs),
    ...(startedAt !== undefined && { startedAt }),
    ...(endedAt !== undefined && { endedAt }),
  }
  switch (view.status) {
    case 'pending':
      return { ...common, status: 'pending' }
    case 'in_progress':
      return { ...common, status: 'running' }
    default:
      return {
        ...common,
        ...outcomeOf(asObject(view.execution_status), view.status === 'completed'),
      }
  }
}

/** From an entry of `GET /history/{id}`. */
export function fromHistory({ status, outputs }: Json): ComfyJob {
  // Very old servers leave the status out of a finished prompt.
  return { ...outputsOf(outputs), ...outcomeOf(asObject(status), !isObject(status)) }
}

/** From `GET /queue`. */
export function fromQueue({ queue_running, queue_pending }: Json, promptId: string): ComfyJob {
  const holds = (items: unknown) => asList(items).some((item) => asList(item)[1] === promptId)
  if (holds(queue_running)) return { status: 'running', files: [], texts: [] }
  if (holds(queue_pending)) return { status: 'pending', files: [], texts: [] }
  return UNKNOWN_JOB
}

function outcomeOf(
  status: Json,
  completed: boolean,
): Pick<ComfyJob, 'status' | 'error' | 'cachedNodes'> {
  const messages = asList(status.messages).map(asList)
  const [type, event] = messages.at(-1) ?? []
  if (type === 'execution_interrupted') {
    return {
      status: 'cancelled',
      error: new ComfyError('interrupted', 'The job was interrupted on the ComfyUI server.'),
    }
  }
  if (type === 'execution_error') return { status: 'failed', error: toFailure(asObject(event)) }
  if (completed || status.status_str === 'success') {
    return { status: 'completed', cachedNodes: cachedNodes(messages) }
  }
  const error = new ComfyError('execution_failed', 'The workflow failed on the ComfyUI server.')
  return { status: 'failed', error }
}

function cachedNodes(messages: unknown[][]): string[] {
  const [, event] = messages.find(([type]) => type === 'execution_cached') ?? []
  // Each once: its files are looked up on the server.
  return [...new Set(asList(asObject(event).nodes))].filter((node) => typeof node === 'string')
}

function toFailure({ exception_type, exception_message, node_id, node_type }: Json): ComfyError {
  const nodeId = asText(node_id)
  const nodeType = asText(node_type)
  const text = presentable(asText(exception_message) ?? '')
  if (OUT_OF_MEMORY.test(`${asText(exception_type)}: ${text}`)) {
    const details = { nodeId, nodeType, problem: 'not enough memory' }
    return new ComfyError('out_of_memory', 'The ComfyUI server ran out of memory.', details)
  }
  if (NEEDS_LOGIN.test(text)) {
    const problem = `${withoutStop(text)}: set the variable comfyui_api_key to the API key of a Comfy account`
    const details = { nodeId, nodeType, problem }
    return new ComfyError(
      'unauthorized',
      `Node ${nodeId} (${nodeType}) failed: ${problem}.`,
      details,
    )
  }
  const details = { nodeId, nodeType, ...(text !== '' && { problem: withoutStop(text) }) }
  const where = `Node ${nodeId}${nodeType ? ` (${nodeType})` : ''} failed`
  return new ComfyError(
    'execution_failed',
    text === '' ? `${where}.` : `${where}: ${text}`,
    details,
  )
}

function withoutStop(text: string): string {
  return text.replace(/\.$/, '')
}
