/**
 * Files of finished jobs, streamed from the gateway.
 *
 * All but PNG pass byte by byte. From a PNG the text that ComfyUI writes into it is taken on the way; it keeps its
 * length, but a part of it can only be cut out of the whole, so the gateway is asked for the whole.
 */
import { jobLinkIn, linkQuery, OUTPUTS_PATH, parseOutputName } from 'ftl-contract'
import { isStillTheSame, parseRange, slice } from './byte-range.ts'
import { jsonError } from './json-error.ts'
import { stripPngText } from './png/strip-text.ts'
import { type Bindings, fixedLength, gatewayOrigin } from './workerd.ts'

const CONDITIONS = ['if-none-match', 'if-modified-since']
const RANGE_HEADERS = ['range', 'if-range']
const RESPONSE_HEADERS = [
  'content-type',
  'content-length',
  'content-range',
  'accept-ranges',
  'etag',
  'last-modified',
  'cache-control',
]

/** A job's files never change; the job itself is kept a day. Private, because who has the address has the file. */
const CACHE_CONTROL = 'private, max-age=86400, immutable'

const SHARED_HEADERS = {
  'access-control-expose-headers': 'accept-ranges, content-disposition, content-range, etag',
  // A page of any origin may show a picture whose address it was given; the address is not guessable. To read its
  // bytes the page needs an allowed origin.
  'cross-origin-resource-policy': 'cross-origin',
  // A file is made from a stranger's prompt: as a page it must not run as a part of this origin.
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
}

/** A file must begin to arrive within this time; the gateway may be asking ComfyUI for it. */
const FIRST_BYTE_TIMEOUT_MS = 30_000

/** Answers that mean the same to the client as to the bridge. */
const PASSED_ON = [200, 206, 304, 416]
/** 401: an owned job, without a valid link. */
const NOT_THERE = [400, 401, 404]

/** Only what is listed travels, in both directions: no cookies, no tokens, no headers of the server behind. */
export async function passOutput(request: Request, env: Bindings, file: string): Promise<Response> {
  const name = parseOutputName(file)
  if (!name) return notThere()
  const strips = name.extension === 'png' && env.KEEP_PNG_TEXT !== 'true'
  const passed = strips ? CONDITIONS : [...CONDITIONS, ...RANGE_HEADERS]
  const query = linkQuery(jobLinkIn(new URL(request.url).search))
  const address = `${gatewayOrigin(env)}${OUTPUTS_PATH}${file}${query}`
  const answered = await ask(request.method, address, pick(request.headers, passed))
  if (!answered || !PASSED_ON.includes(answered.status)) {
    await answered?.body?.cancel()
    if (answered?.status === 410) return jsonError(410, 'output_gone', 'The file was deleted.')
    if (answered && NOT_THERE.includes(answered.status)) return notThere()
    return jsonError(502, 'gateway_unreachable', 'The gateway cannot be reached or failed.')
  }
  const headers = pick(answered.headers, RESPONSE_HEADERS)
  for (const [header, value] of Object.entries(SHARED_HEADERS)) headers.set(header, value)
  // The name has passed the check above, so nothing in it needs quoting.
  headers.set('content-disposition', `inline; filename="${file}"`)
  if (!headers.has('cache-control') && answered.status !== 416) {
    headers.set('cache-control', CACHE_CONTROL)
  }
  if (strips && answered.status === 200) return strip(request, answered, headers)
  return new Response(answered.body, { status: answered.status, headers })
}

/** Before a page may send conditions along, its browser asks. @see worker.ts for who may. */
export function allowOutputs(): Response {
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-methods': 'GET, HEAD',
      'access-control-allow-headers': [...RANGE_HEADERS, ...CONDITIONS].join(', '),
      'access-control-max-age': '86400',
    },
  })
}

/** The file without its text, or the part of it that is wanted. */
async function strip(request: Request, { body }: Response, headers: Headers): Promise<Response> {
  const length = headers.get('content-length')
  if (length === null) {
    headers.delete('accept-ranges')
    return new Response(body?.pipeThrough(stripPngText()) ?? null, { headers })
  }
  const size = Number(length)
  headers.set('accept-ranges', 'bytes')
  if (!body || request.method === 'HEAD') {
    await body?.cancel()
    return new Response(null, { headers })
  }
  const asked = request.headers.get('range')
  const same = isStillTheSame(request.headers.get('if-range'), headers)
  const range = same ? parseRange(asked, size) : undefined
  if (range === undefined) {
    const whole = body.pipeThrough(stripPngText()).pipeThrough(fixedLength(size))
    return new Response(whole, { headers })
  }
  if (range === 'unsatisfiable') {
    await body.cancel()
    headers.delete('content-length')
    headers.set('content-range', `bytes */${size}`)
    return new Response(null, { status: 416, headers })
  }
  const { first, last } = range
  headers.set('content-range', `bytes ${first}-${last}/${size}`)
  headers.set('content-length', String(last - first + 1))
  const part = body.pipeThrough(stripPngText()).pipeThrough(slice(range))
  return new Response(part.pipeThrough(fixedLength(last - first + 1)), { status: 206, headers })
}

async function ask(
  method: string,
  address: string,
  headers: Headers,
): Promise<Response | undefined> {
  // Compressed on the way, the bytes would no longer fit their length, range and ETag.
  headers.set('accept-encoding', 'identity')
  const patience = new AbortController()
  const timer = setTimeout(() => patience.abort(), FIRST_BYTE_TIMEOUT_MS)
  try {
    return await fetch(address, { method, headers, redirect: 'manual', signal: patience.signal })
  } catch {
    return undefined
  } finally {
    clearTimeout(timer)
  }
}

function notThere(): Response {
  return jsonError(404, 'output_not_found', 'There is no such file, or it has expired.')
}

function pick(from: Headers, names: string[]): Headers {
  const picked = new Headers()
  for (const name of names) {
    const value = from.get(name)
    if (value !== null) picked.set(name, value)
  }
  return picked
}
