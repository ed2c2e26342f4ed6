/**
 * What a page in a browser may do, once its origin has been let through.
 *
 * @see https://fetch.spec.whatwg.org/#http-cors-protocol
 */

const METHODS = 'GET, HEAD, POST, DELETE, OPTIONS'
const HEADERS =
  'Content-Type, Accept, Authorization, Range, Last-Event-ID, X-Request-Id, Prefer, Idempotency-Key, ' +
  'MCP-Protocol-Version, Mcp-Session-Id, Mcp-Method, Mcp-Name, traceparent, tracestate, baggage'
const EXPOSED =
  'Accept-Ranges, Content-Range, ETag, Location, Retry-After, WWW-Authenticate, X-Request-Id'
const DAY_IN_SECONDS = '86400'

// Headers of a tool's arguments have names of the tool's choosing.
const PARAMETER_HEADER = /^mcp-param-[\w!#$%&'*+.^`|~-]+$/i

/** Parameter headers a preflight may ask for. */
const MAX_PARAMETER_HEADERS = 64

/** Whether a browser asks what a page may send. Any other `OPTIONS` request is answered by its route. */
export function isPreflight({ method, headers }: Request): boolean {
  return method === 'OPTIONS' && headers.has('origin')
}

/** @param request of an allowed origin. */
export function preflight({ headers: asked }: Request): Response {
  const parameters = (asked.get('access-control-request-headers') ?? '')
    .split(',', 1_000)
    .map((name) => name.trim())
    .filter((name) => PARAMETER_HEADER.test(name))
    .slice(0, MAX_PARAMETER_HEADERS)
  const headers = new Headers({
    'access-control-allow-methods': METHODS,
    'access-control-allow-headers': [HEADERS, ...parameters].join(', '),
    'access-control-max-age': DAY_IN_SECONDS,
  })
  // A page of the internet that the operator has allowed may reach a gateway in a private network.
  // https://wicg.github.io/private-network-access/#headers
  if (asked.get('access-control-request-private-network') === 'true') {
    headers.set('access-control-allow-private-network', 'true')
  }
  return new Response(null, { status: 204, headers })
}

/** Lets the page that sent the request read the response. @param request of an allowed origin. */
export function allowOrigin(request: Request, headers: Headers): void {
  const origin = request.headers.get('origin')
  if (origin === null) return
  headers.set('access-control-allow-origin', origin)
  headers.set('access-control-expose-headers', EXPOSED)
}
