/**
 * Files of finished jobs, passed through from the gateway byte by byte.
 *
 * @module
 */
import { OUTPUTS_PATH, parseOutputName } from 'ftl-sdk/contract'

const REQUEST_HEADERS = ['range', 'if-none-match', 'if-modified-since', 'if-range']
const RESPONSE_HEADERS = [
  'content-type',
  'content-length',
  'content-range',
  'content-disposition',
  'accept-ranges',
  'etag',
  'last-modified',
  'cache-control',
]

/** Only what is listed travels, in both directions: no cookies, no tokens, no headers of the server behind. */
export async function passOutput(
  request: Request,
  gatewayUrl: string,
  file: string,
): Promise<Response> {
  if (!parseOutputName(file)) return jsonError(404, 'output_not_found', 'There is no such file.')
  const answered = await fetch(`${gatewayUrl}${OUTPUTS_PATH}${file}`, {
    method: request.method,
    headers: pick(request.headers, REQUEST_HEADERS),
    redirect: 'manual',
  }).catch(() => undefined)
  if (!answered || answered.status >= 500) {
    await answered?.body?.cancel()
    return jsonError(502, 'gateway_unreachable', 'The gateway cannot be reached or failed.')
  }
  if (answered.status >= 400 && answered.status !== 416) {
    await answered.body?.cancel()
    return jsonError(404, 'output_not_found', 'There is no such file.')
  }
  const headers = pick(answered.headers, RESPONSE_HEADERS)
  headers.set('x-content-type-options', 'nosniff')
  // A page of any origin may show a picture whose address it was given; the address is not guessable.
  headers.set('access-control-allow-origin', '*')
  return new Response(answered.body, { status: answered.status, headers })
}

export function jsonError(status: number, code: string, message: string): Response {
  return Response.json({ error: { code, message } }, { status })
}

function pick(from: Headers, names: string[]): Headers {
  const picked = new Headers()
  for (const name of names) {
    const value = from.get(name)
    if (value !== null) picked.set(name, value)
  }
  return picked
}
