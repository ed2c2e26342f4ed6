/** The messages of the streaming guide: JSON-RPC notifications, one `stream/chunk`, then one `stream/end`. */
import {
  type JobStatus,
  linkQuery,
  OUTPUTS_PATH,
  type PublicJob,
  type ToolResult,
} from 'ftl-contract'
import type { ComfyPreview, JobStep } from './live/event.ts'

/** Implementation-defined server error. @see https://www.jsonrpc.org/specification#error_object */
const SERVICE_ERROR = -32000

export interface StreamError {
  code: number
  message: string
}

export const NO_SUCH_STREAM: StreamError = {
  code: SERVICE_ERROR,
  message: 'This stream does not exist or has expired.',
}

export const GATEWAY_AWAY: StreamError = {
  code: SERVICE_ERROR,
  message:
    'The gateway cannot be reached, so the outcome is not known. Connect again later: the job is not lost.',
}

/** For a job without a message about its end. */
const WITHOUT_WORDS: Record<JobStatus, string> = {
  working: 'The job is not done.',
  input_required: 'The job waits for an answer.',
  completed: 'The job ended without a result.',
  failed: 'The job failed.',
  cancelled: 'The job was cancelled.',
}

/**
 * Sent only to a client that asked for it; the guide's clients do not know it.
 *
 * Steps that ComfyUI itself reports are exact and newer than the record, which may still say that the job waits. So they
 * take precedence over its progress and its message.
 *
 * @param job the last known record; undefined in the first moment of a stream.
 */
export function progressMessage(streamId: string, job?: PublicJob, step?: JobStep): string {
  const value = step?.value ?? job?.progress?.value
  const total = step ? step.max : job?.progress?.total
  return notification('stream/progress', {
    stream_id: streamId,
    seq: job?.seq,
    progress: value,
    total,
    message: step?.message ?? job?.message,
    node: step?.node,
  })
}

/** A picture of a running job, base64; only the newest is of use. */
export function previewMessage(
  streamId: string,
  seq: number,
  { mimeType, data }: ComfyPreview,
): string {
  return notification('stream/preview', { stream_id: streamId, mimeType, data, seq })
}

/** Reports only that the stream is still running. */
export function heartbeatMessage(streamId: string): string {
  return notification('stream/heartbeat', { stream_id: streamId })
}

/** How a client reaches the files of a job. */
export interface FileAccess {
  /** Where it reaches `/outputs/`, without a slash at the end. */
  origin: string
  /** Of an owned job. @default none */
  link?: string | undefined
}

/** The chunk that reports how a job ended. */
export function chunkMessage(job: PublicJob, access: FileAccess): string {
  if (job.status === 'completed' && job.result) {
    // The guide's client looks for `error`, and would show the text of a failure as a picture.
    if (job.result.isError) {
      return errorMessage(job.id, { code: SERVICE_ERROR, message: textOf(job.result) })
    }
    return notification('stream/chunk', {
      stream_id: job.id,
      result: toStreamResult(job.result, access),
    })
  }
  // The message of a completed job does not explain a missing result.
  const said = job.status === 'completed' ? undefined : job.message
  return errorMessage(job.id, {
    code: job.error?.code ?? SERVICE_ERROR,
    message: job.error?.message ?? said ?? WITHOUT_WORDS[job.status],
  })
}

export function errorMessage(streamId: string, { code, message }: StreamError): string {
  return notification('stream/chunk', { stream_id: streamId, error: { code, message } })
}

export function endMessage(streamId: string): string {
  return notification('stream/end', { stream_id: streamId })
}

/** Pictures first, because the guide's client shows `content[0].source`; everything else unchanged. */
function toStreamResult({ content, structuredContent }: ToolResult, { origin, link }: FileAccess) {
  const images: unknown[] = []
  const others: unknown[] = []
  for (const block of content) {
    if (block.type !== 'resource_link' || !String(block['uri']).startsWith(OUTPUTS_PATH)) {
      others.push(block)
      continue
    }
    const address = `${origin}${String(block['uri'])}${linkQuery(link)}`
    if (String(block['mimeType']).startsWith('image/'))
      images.push({ type: 'image', source: address })
    else others.push({ ...block, uri: address })
  }
  return {
    content: [...images, ...others],
    ...(structuredContent === undefined ? {} : { structuredContent }),
  }
}

function textOf({ content }: ToolResult): string {
  const texts = content.flatMap((block) => (block.type === 'text' ? [String(block['text'])] : []))
  return texts.join('\n') || 'The tool failed.'
}

function notification(method: string, params: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', method, params })
}
