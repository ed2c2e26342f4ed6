/**
 * fetch: what the specification adds to one request of the host, that is aborts and redirects.
 * https://fetch.spec.whatwg.org/#fetch-method
 */
import { isReadableStream } from './body.js'
import { bytesOfLatin1, readDataUrl } from './data-url.js'
import { fetchNative as native, fromUtf8Whole } from './host.js'
import { isIntact } from './integrity.js'
import { matches, rejected, SafePromise, startsWith, then } from './primordials.js'
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
const { Headers, Request, Response, URL } = globalThis

/** A response without a request of the host. */
function answerDataUrl({ url, method }) {
  const data = readDataUrl(url)
  if (data === undefined) throw new TypeError('fetch failed: the data: URL is not valid')
  const headers = { 'content-type': data.type }
  const body = method === 'HEAD' ? null : data.bytes
  const response = new Response(body, { status: 200, statusText: 'OK', headers })
  native.markFetched(response, url)
  return response
}

/** Without `Promise.race`, which would make six promises more: a caller with a deadline gives a signal to each request. */
function sendOnce(request, signal) {
  const [responding, id, writer, stream] = native.send(request)
  // An error of the stream cuts the request, so that the host reports the failure.
  if (writer) pump(stream, writer).catch(() => {})
  if (!signal) return responding
  return new SafePromise((resolve, reject) => {
    let response
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
    const begin = (begun) => {
      response = begun
      resolve(begun)
    }
    then(responding, begin, reject)
  })
}

/** An address as servers send it: its bytes are UTF-8. */
const fromLatin1 = (text) =>
  matches(/[\x80-\xff]/, text) ? fromUtf8Whole(bytesOfLatin1(text)) : text

/** The request that a redirect asks for. */
function redirected(request, response, body) {
  const { status } = response
  const target = new URL(fromLatin1(response.headers.get('location')), request.url)
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

/** Reads the whole body first: a part must not be used before all of it is known to be right. */
async function checkIntegrity(response, integrity) {
  const { status, statusText, headers, url, redirected } = response
  const bytes = await response.bytes()
  if (!(await isIntact(integrity, bytes))) {
    throw new TypeError('fetch failed: the response is not what "integrity" says')
  }
  const checked = new Response(response.body === null ? null : bytes, {
    status,
    statusText,
    headers,
  })
  native.markFetched(checked, url)
  if (redirected) native.markRedirected(checked)
  return checked
}

function fetch(input, init = undefined) {
  try {
    const request = new Request(input, init)
    const { integrity } = request
    const responding = fetchResponse(request, init)
    if (integrity === '') return responding
    return then(responding, (response) => checkIntegrity(response, integrity))
  } catch (error) {
    return rejected(error)
  }
}

async function fetchResponse(first, init) {
  let request = first
  const signal = native.signalOf(request)
  signal?.throwIfAborted()
  if (startsWith(request.url, 'data:')) return answerDataUrl(request)
  // What was given as bytes can be sent again; a stream cannot.
  const given = init?.body
  const hasBody = native.hasBody(request)
  const isRepeatable = !hasBody || (given !== undefined && !isReadableStream(given))
  for (let count = 0; ; count++) {
    const response = await sendOnce(request, signal)
    if (request.method === 'HEAD') native.dropBody(response)
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
