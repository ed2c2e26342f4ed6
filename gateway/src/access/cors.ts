/**
 * What a page in a browser may do.
 *
 * Only pages served from this machine may read answers: a page of any other site must not be able to drive a
 * gateway that listens on localhost.
 *
 * @see https://fetch.spec.whatwg.org/#http-cors-protocol
 * @module
 */

const LOCAL_ORIGIN = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i

const METHODS = 'GET, HEAD, POST, DELETE, OPTIONS'
const HEADERS =
  'Content-Type, Accept, Authorization, Range, Last-Event-ID, ' +
  'MCP-Protocol-Version, Mcp-Session-Id, Mcp-Method, Mcp-Name, traceparent, tracestate, baggage'
const EXPOSED = 'Accept-Ranges, Content-Range, ETag, Location, WWW-Authenticate'
const DAY_IN_SECONDS = '86400'

/** The answer to `OPTIONS`. */
export function preflight(request: Request): Response {
  const origin = localOrigin(request)
  const headers = new Headers({ allow: METHODS, vary: 'Origin' })
  if (origin !== undefined) {
    headers.set('access-control-allow-origin', origin)
    headers.set('access-control-allow-methods', METHODS)
    headers.set('access-control-allow-headers', HEADERS)
    headers.set('access-control-max-age', DAY_IN_SECONDS)
  }
  return new Response(null, { status: 204, headers })
}

/** Lets a page of this machine read the response; leaves every other request's response as it is. */
export function allowLocalOrigin(request: Request, response: Response): Response {
  const origin = localOrigin(request)
  if (origin !== undefined) {
    response.headers.set('access-control-allow-origin', origin)
    response.headers.set('access-control-expose-headers', EXPOSED)
    response.headers.append('vary', 'Origin')
  }
  return response
}

function localOrigin(request: Request): string | undefined {
  const origin = request.headers.get('origin')
  return origin !== null && LOCAL_ORIGIN.test(origin) ? origin : undefined
}
