/**
 * `GET /outputs/{file}`: a file of a finished job, streamed from ComfyUI's `/view`.
 *
 * @module
 */
import { ComfyError } from 'ftl-comfyui/client'
import type { JobContext, JobFile } from 'ftl-sdk'
import { extensionOf, MEDIA_TYPES } from './result.ts'
import { loadServers } from './server-list.ts'
import { connect } from './servers.ts'
import type { ImageState } from './state.ts'

const REQUEST_HEADERS = ['range', 'if-range', 'if-none-match', 'if-modified-since']
const RESPONSE_HEADERS = [
  'content-length',
  'content-range',
  'accept-ranges',
  'etag',
  'last-modified',
]
const PASSED_STATUSES = new Set([200, 206, 304, 416])
/** A job's files never change; the job itself is kept a day. */
const CACHE_CONTROL = 'private, max-age=86400, immutable'

export async function serveOutput(
  { index, extension, name }: JobFile,
  state: ImageState | undefined,
  context: JobContext,
  request: Request,
): Promise<Response | undefined> {
  const file = state?.files?.[index]
  if (!file || extensionOf(file.filename) !== extension) return undefined
  let answer: Response
  try {
    const client = connect(state.server, await loadServers(context.platform), context)
    answer = await client.view(file, pick(request.headers, REQUEST_HEADERS))
  } catch (error) {
    if (!(error instanceof ComfyError)) throw error
    return fail(502, 'output_unavailable', 'The ComfyUI server does not answer at the moment.')
  }
  if (!PASSED_STATUSES.has(answer.status)) {
    await answer.body?.cancel()
    return answer.status === 404
      ? undefined
      : fail(502, 'output_unavailable', 'The ComfyUI server does not give the file.')
  }
  const headers = {
    ...pick(answer.headers, RESPONSE_HEADERS),
    'content-type': MEDIA_TYPES[extension] ?? 'application/octet-stream',
    'content-disposition': `inline; filename="${name}"`,
    'cache-control': CACHE_CONTROL,
  }
  if (request.method === 'HEAD') {
    await answer.body?.cancel()
    return new Response(null, { status: answer.status, headers })
  }
  return new Response(answer.body, { status: answer.status, headers })
}

function pick(headers: Headers, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers.get(name)
      return value === null ? [] : [[name, value]]
    }),
  )
}

function fail(status: number, code: string, message: string): Response {
  return new Response(JSON.stringify({ error: { code, message } }), {
    status,
    headers: { 'content-type': 'application/json' },
  })
}
