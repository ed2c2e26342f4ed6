/**
 * What a page in a browser may do, once its origin has been let through.
 *
 * @see https://fetch.spec.whatwg.org/#http-cors-protocol
 */

const METHODS = 'GET, HEAD, POST, DELETE, OPTIONS'
const HEADERS =
  'Content-Type, Accept, Authorization, Range, Last-Event-ID, X-Request-Id, Prefer, Idempotency-Key, ' +
  'traceparent, tracestate, baggage'
// The limits are those of the embedded host.
const EXPOSED =
  'Accept-Ranges, Content-Range, ETag, Location, RateLimit, RateLimit-Policy, Retry-After, ' +
  'WWW-Authenticate, X-Request-Id'
const DAY_IN_SECONDS = '86400'

/** Request headers that a page may send to a component, besides the common ones. */
export interface CorsHeaders {
  /** A comma list. */
  names: string
  /** Matches names that are not known in advance, such as those of parameters. */
  pattern: RegExp
}

/** Headers of the pattern that one preflight may request. */
const MAX_MATCHING_HEADERS = 64

/** Whether a browser asks what a page may send. Any other `OPTIONS` request is answered by its route. */
export function isPreflight({ method, headers }: Request): boolean {
  return method === 'OPTIONS' && headers.has('origin')
}

/** @param request of an allowed origin. */
export function preflight({ headers: asked }: Request, cors?: CorsHeaders): Response {
  const more = cors
    ? [
        cors.names,
        ...(asked.get('access-control-request-headers') ?? '')
          .split(',', 1_000)
          .map((name) => name.trim())
          .filter((name) => cors.pattern.test(name))
          .slice(0, MAX_MATCHING_HEADERS),
      ]
    : []
  const headers = new Headers({
    'access-control-allow-methods': METHODS,
    'access-control-allow-headers': [HEADERS, ...more].join(', '),
    'access-control-max-age': DAY_IN_SECONDS,
  })
  // A page of the internet that the operator has allowed may reach a component in a private network.
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
