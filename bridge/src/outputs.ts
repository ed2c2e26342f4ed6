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

/** A file must begin to arrive within this time; the gateway may be asking ComfyUI for it. */
const FIRST_BYTE_TIMEOUT_MS = 30_000

/** Answers that mean the same to the client as to the bridge. */
const PASSED_ON = [200, 206, 304, 416]
const NOT_THERE = [400, 404, 410]

/** Only what is listed travels, in both directions: no cookies, no tokens, no headers of the server behind. */
export async function passOutput(
  request: Request,
  gatewayUrl: string,
  file: string,
): Promise<Response> {
  if (!parseOutputName(file)) return notThere()
  const answered = await ask(request, `${gatewayUrl}${OUTPUTS_PATH}${file}`)
  if (!answered || !PASSED_ON.includes(answered.status)) {
    await answered?.body?.cancel()
    if (answered && NOT_THERE.includes(answered.status)) return notThere()
    return jsonError(502, 'gateway_unreachable', 'The gateway cannot be reached or failed.')
  }
  const headers = pick(answered.headers, RESPONSE_HEADERS)
  headers.set('x-content-type-options', 'nosniff')
  // A page of any origin may show a picture whose address it was given; the address is not guessable.
  headers.set('access-control-allow-origin', '*')
  return new Response(answered.body, { status: answered.status, headers })
}

async function ask(request: Request, address: string): Promise<Response | undefined> {
  const headers = pick(request.headers, REQUEST_HEADERS)
  // Compressed on the way, the bytes would no longer fit their length, range and ETag.
  headers.set('accept-encoding', 'identity')
  const patience = new AbortController()
  const timer = setTimeout(() => patience.abort(), FIRST_BYTE_TIMEOUT_MS)
  const { method } = request
  try {
    return await fetch(address, { method, headers, redirect: 'manual', signal: patience.signal })
  } catch {
    return undefined
  } finally {
    clearTimeout(timer)
  }
}

function notThere(): Response {
  return jsonError(404, 'output_not_found', 'There is no such file.')
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
