/**
 * The messages of the streaming guide: JSON-RPC notifications, one `stream/chunk`, then one `stream/end`.
 *
 * @module
 */
import { OUTPUTS_PATH, type PublicJob, type ToolResult } from 'ftl-sdk/contract'

/** Server error of the implementation's own. @see https://www.jsonrpc.org/specification#error_object */
export const SERVICE_ERROR = -32000

export interface StreamError {
  code: number
  message: string
}

/** Sent only to a client that asked for it; the guide's clients would not know it. */
export function progressMessage(job: PublicJob): string {
  const { id, seq, progress, message } = job
  return notification('stream/progress', {
    stream_id: id,
    seq,
    ...(progress ? { progress: progress.value } : {}),
    ...(progress?.total === undefined ? {} : { total: progress.total }),
    ...(message === undefined ? {} : { message }),
  })
}

/**
 * The chunk that tells how a final job ended.
 *
 * @param origin where the client reaches `/outputs/`, without a slash at the end.
 */
export function chunkMessage(job: PublicJob, origin: string): string {
  if (job.status === 'completed' && job.result) {
    return notification('stream/chunk', {
      stream_id: job.id,
      result: toStreamResult(job.result, origin),
    })
  }
  const fallback = job.status === 'cancelled' ? 'The job was cancelled.' : 'The job failed.'
  return errorMessage(job.id, {
    code: job.error?.code ?? SERVICE_ERROR,
    message: job.error?.message ?? job.message ?? fallback,
  })
}

export function errorMessage(streamId: string, { code, message }: StreamError): string {
  return notification('stream/chunk', { stream_id: streamId, error: { code, message } })
}

export function endMessage(streamId: string): string {
  return notification('stream/end', { stream_id: streamId })
}

/** Pictures first, because the guide's client shows `content[0].source`; everything else unchanged. */
function toStreamResult({ content, structuredContent }: ToolResult, origin: string) {
  const images: unknown[] = []
  const others: unknown[] = []
  for (const block of content) {
    if (block.type !== 'resource_link' || !String(block['uri']).startsWith(OUTPUTS_PATH)) {
      others.push(block)
      continue
    }
    const address = `${origin}${String(block['uri'])}`
    if (String(block['mimeType']).startsWith('image/'))
      images.push({ type: 'image', source: address })
    else others.push({ ...block, uri: address })
  }
  return {
    content: [...images, ...others],
    ...(structuredContent === undefined ? {} : { structuredContent }),
  }
}

function notification(method: string, params: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', method, params })
}
