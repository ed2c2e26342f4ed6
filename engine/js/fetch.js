/**
 * fetch: what the specification adds to one request of the host, that is aborts and redirects.
 * https://fetch.spec.whatwg.org/#fetch-method
 */
import { isReadableStream } from './body.js'
import { fetchNative as native } from './host.js'
import { pump } from './pump.js'
import { define, exposeOperation } from './web-idl.js'

const REDIRECTS = new Set([301, 302, 303, 307, 308])
const MAX_REDIRECTS = 20
/** Headers that describe a body, and those that belong to one origin. */
const OF_BODY = [
  'content-encoding',
  'content-language',
  'content-length',
  'content-location',
  'content-type',
]
const OF_ORIGIN = ['authorization', 'cookie', 'proxy-authorization']
const { Headers, Request, URL } = globalThis

async function sendOnce(request, signal) {
  const [responding, id, writer, stream] = native.send(request)
  // An error of the stream cuts the request, so that the host reports the failure.
  if (writer) pump(stream, writer).catch(() => {})
  if (!signal) return responding
  let response
  const aborted = new Promise((_, reject) => {
    signal.addEventListener(
      'abort',
      () => {
        if (response) native.abortBody(response, signal.reason)
        else native.cancel(id)
        writer?.cut()
        reject(signal.reason)
      },
      { once: true },
    )
  })
  aborted.catch(() => {})
  response = await Promise.race([responding, aborted])
  return response
}

/** The request that a redirect asks for. */
function redirected(request, response, body) {
  const { status } = response
  const target = new URL(response.headers.get('location'), request.url)
  const toGet =
    (status === 303 && request.method !== 'GET' && request.method !== 'HEAD') ||
    ((status === 301 || status === 302) && request.method === 'POST')
  const headers = new Headers(request.headers)
  if (toGet) for (const name of OF_BODY) headers.delete(name)
  if (target.origin !== new URL(request.url).origin) {
    for (const name of OF_ORIGIN) headers.delete(name)
  }
  return new Request(target.href, {
    method: toGet ? 'GET' : request.method,
    headers,
    body: toGet ? undefined : body,
    redirect: request.redirect,
  })
}

async function fetch(input, init = undefined) {
  let request = new Request(input, init)
  const signal = native.signalOf(request)
  signal?.throwIfAborted()
  // What was given as bytes can be sent again; a stream cannot.
  const given = init?.body
  const hasBody = native.hasBody(request)
  const isRepeatable = !hasBody || (given !== undefined && !isReadableStream(given))
  for (let count = 0; ; count++) {
    const response = await sendOnce(request, signal)
    if (count > 0) native.markRedirected(response)
    if (request.redirect === 'manual' || !REDIRECTS.has(response.status)) return response
    if (!response.headers.has('location')) return response
    if (request.redirect === 'error') {
      throw new TypeError(`fetch failed: ${request.url} redirects`)
    }
    if (count === MAX_REDIRECTS) {
      throw new TypeError(`fetch failed: more than ${MAX_REDIRECTS} redirects`)
    }
    if (!isRepeatable && response.status !== 303) {
      throw new TypeError('fetch failed: a request with a streamed body cannot follow a redirect')
    }
    await response.body?.cancel()
    request = redirected(request, response, given)
  }
}

exposeOperation('fetch', fetch)

// For our own packages: a stream would take longer to read a body than the rest of a small request.
define(globalThis, Symbol.for('ftl.textWithin'), native.textWithin)
