/** Streams a file of a prompt from the server as the response to a client's request. */
import type { ComfyClient } from './client.ts'
import { ComfyError } from './errors.ts'
import type { OutputFile } from './job.ts'
import { extensionOf, mediaTypeOf } from './media-types.ts'

const REQUEST_HEADERS = ['range', 'if-range', 'if-none-match', 'if-modified-since']
const RESPONSE_HEADERS = [
  'content-length',
  'content-range',
  'accept-ranges',
  'etag',
  'last-modified',
]
const PASSED_STATUSES = new Set([200, 206, 304, 416])
const FILE_GONE = 'The ComfyUI server no longer has this file: it was deleted there.'
/** A job's files never change; the job itself is kept for one day. */
const CACHE_CONTROL = 'private, max-age=86400, immutable'

/**
 * @param name file name shown to the client; its extension decides the content type.
 * @param request the client's request; its range and cache headers are forwarded.
 * @returns status 410 when the server no longer has the file, 502 when it cannot deliver it.
 */
export async function fileResponse(
  client: Pick<ComfyClient, 'view'>,
  file: Pick<OutputFile, 'filename' | 'subfolder' | 'type'>,
  name: string,
  request: Request,
): Promise<Response> {
  let answer: Response
  try {
    answer = await client.view(file, pick(request.headers, REQUEST_HEADERS))
  } catch (error) {
    if (!(error instanceof ComfyError)) throw error
    return failure(502, 'output_unavailable', 'The ComfyUI server does not answer at the moment.')
  }
  if (!PASSED_STATUSES.has(answer.status)) {
    await answer.body?.cancel()
    if (answer.status === 404) return failure(410, 'output_gone', FILE_GONE)
    return failure(502, 'output_unavailable', 'The ComfyUI server does not give the file.')
  }
  const headers = {
    ...pick(answer.headers, RESPONSE_HEADERS),
    'content-type': mediaTypeOf(extensionOf(name)),
    'content-disposition': `inline; filename="${name}"`,
    'cache-control': CACHE_CONTROL,
  }
  if (request.method !== 'HEAD')
    return new Response(answer.body, { status: answer.status, headers })
  await answer.body?.cancel()
  return new Response(null, { status: answer.status, headers })
}

function pick(headers: Headers, names: readonly string[]): Record<string, string> {
  const picked: Record<string, string> = {}
  for (const name of names) {
    const value = headers.get(name)
    if (value !== null) picked[name] = value
  }
  return picked
}

function failure(status: number, code: string, message: string): Response {
  const headers = { 'cache-control': 'no-store' }
  return Response.json({ error: { code, message } }, { status, headers })
}
