/**
 * Finds the handler of a request.
 *
 * The ten routes are known when the component is built. A router library would be a quarter of the bundle and would be
 * set up again for every request.
 */
import { addressOf, discard, failure, methodNotAllowed } from 'ftl-http'
import { announcesChanges } from './announces-changes.ts'
import type { Scope } from './scope.ts'

/** The input of a handler. */
export interface RouteContext {
  request: Request
  scope: Scope
  /**
   * The part of the path that matches `:name` in the route. Letters, digits, `-`, `.`, `_` and `~` are decoded, and
   * nothing else: a slash would be another path.
   *
   * @see https://www.rfc-editor.org/rfc/rfc3986#section-6.2.2.2
   */
  param: string
}

/** Answers one method of a route. */
export type Handler = (context: RouteContext) => Response | Promise<Response>

/** A path and its handlers. */
export interface Route {
  /** A path; one part may be `:name`, which matches any text without a slash. */
  path: string
  /** By method; `GET` answers `HEAD` too, and every other method gets 405. */
  methods: Methods
  /** Methods that exist only where clients are notified of changed lists. @default none */
  streamMethods?: Methods
}

type Methods = Readonly<Record<string, Handler>>

export function createRouter(routes: readonly Route[]): Handler {
  const table = routes.map(({ path, methods, streamMethods }) => {
    const pattern = path.includes(':')
      ? new RegExp(`^${path.replace(/:\w+/, '([^/]+)')}$`)
      : undefined
    return { path, pattern, methods, streamMethods }
  })
  return ({ request, scope }) => {
    const { pathname: path } = addressOf(request)
    // Many clients are configured with a slash at the end of the endpoint of MCP.
    const pathname = path === '/mcp/' ? '/mcp' : path
    const route = table.find(({ path, pattern }) => pattern?.test(pathname) ?? path === pathname)
    if (!route)
      return failure(404, 'not_found', `There is nothing at ${pathname}. MCP is at POST /mcp.`)
    const { pattern, streamMethods } = route
    const { method } = request
    const wanted = method === 'HEAD' ? 'GET' : method
    let { methods } = route
    // Not for POST: reading the setting would make each call slower.
    if (method !== 'POST' && streamMethods && announcesChanges(scope.settings)) {
      methods = { ...methods, ...streamMethods }
    }
    const handler = Object.hasOwn(methods, wanted) ? methods[wanted] : undefined
    const allow = () => Object.keys(methods).join(', ').replace('GET', 'GET, HEAD')
    if (method === 'OPTIONS') {
      return new Response(null, { status: 204, headers: { allow: `${allow()}, OPTIONS` } })
    }
    if (!handler) return methodNotAllowed(allow())
    const param = unreserved(pattern?.exec(pathname)?.[1] ?? '')
    const response = handler({ request, scope, param })
    return method === 'HEAD' ? withoutBody(response) : response
  }
}

function unreserved(text: string): string {
  if (!text.includes('%')) return text
  return text.replace(/%([0-9a-f]{2})/gi, (escaped, digits: string) => {
    const character = String.fromCharCode(parseInt(digits, 16))
    return /[\w.~-]/.test(character) ? character : escaped
  })
}

async function withoutBody(answer: Response | Promise<Response>): Promise<Response> {
  const response = await answer
  if (!response.body) return response
  discard(response)
  const { status, headers } = response
  return new Response(null, { status, headers })
}
