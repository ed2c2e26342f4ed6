// fetch: what the specification adds to one request of the host: aborts, redirects and streamed bodies.
// https://fetch.spec.whatwg.org/#fetch-method

const REDIRECTS = [301, 302, 303, 307, 308]
const MAX_REDIRECTS = 20
// Headers that describe a body, and those that belong to one origin.
const OF_BODY = ['content-encoding', 'content-language', 'content-length', 'content-location', 'content-type']
const OF_ORIGIN = ['authorization', 'cookie', 'proxy-authorization']

/**
 * @param native functions of the native part: send, cancel, abortBody, markRedirected, signalOf.
 * @param pump see pump.js.
 */
export function createFetch(native, pump) {
  const { Request, TypeError, URL, Headers } = globalThis

  async function sendOnce(request, signal) {
    const [responding, id, writer, stream] = native.send(request)
    if (writer) pump(stream, writer).catch(() => {})
    if (!signal) return responding
    let response
    let abort
    const aborted = new Promise((_, reject) => {
      abort = () => {
        if (response) native.abortBody(response, signal.reason)
        else native.cancel(id)
        writer?.cut()
        reject(signal.reason)
      }
    })
    aborted.catch(() => {})
    signal.addEventListener('abort', abort, { once: true })
    response = await Promise.race([responding, aborted])
    return response
  }

  function redirected(request, response, body) {
    const { status } = response
    const location = response.headers.get('location')
    const target = new URL(location, request.url)
    if (!request.url.includes('#') || target.hash) target.hash ||= new URL(request.url).hash
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

  return async function fetch(input, init) {
    let request = new Request(input, init)
    const signal = native.signalOf(request)
    signal?.throwIfAborted()
    // A body that was given as bytes can be sent again; a stream cannot.
    const again = init?.body ?? (typeof input === 'object' ? undefined : null)
    for (let count = 0; ; count++) {
      const response = await sendOnce(request, signal)
      if (count > 0) native.markRedirected(response)
      if (request.redirect === 'manual' || !REDIRECTS.includes(response.status)) return response
      if (!response.headers.has('location')) return response
      if (request.redirect === 'error') throw new TypeError(`fetch failed: ${request.url} redirects`)
      if (count === MAX_REDIRECTS) throw new TypeError(`fetch failed: more than ${MAX_REDIRECTS} redirects`)
      const isRepeatable = request.body === null || (again !== undefined && !isStream(again))
      if (!isRepeatable && response.status !== 303) {
        throw new TypeError('fetch failed: a request with a streamed body cannot follow a redirect')
      }
      await response.body?.cancel()
      request = redirected(request, response, again ?? undefined)
    }
  }
}

function isStream(value) {
  return value !== null && typeof value === 'object' && typeof value.getReader === 'function'
}
