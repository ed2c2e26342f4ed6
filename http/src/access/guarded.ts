/** Wraps every response of a public component: checks host and origin, and adds CORS headers and the request id. */
import { addressOf } from '../address.ts'
import { CLIENT_REQUEST_ID_HEADER } from '../request-id.ts'
import type { AccessLists } from './access-lists.ts'
import { allowOrigin, type CorsHeaders, isPreflight, preflight } from './cors.ts'
import { forbidden, forbiddenMessage } from './host-and-origin.ts'
import { hasComponentSender, namesComponent } from './sender.ts'

export interface Guarded {
  request: Request
  /** Sent in the response, so that the client can refer to the request. */
  requestId: string
  /** Each is read only if the request needs it. */
  lists: AccessLists
  /** Request headers that pages may send, besides the common ones. @default none */
  cors?: CorsHeaders
  /** Whether a page of every origin may read the answer, because all of it is public. @default nothing is */
  isPublic?: (pathname: string) => boolean
  /** Answers a request that is allowed and is not a preflight. */
  answer: () => Response | Promise<Response>
  /** Sees that answer before headers are added to it: here, because a further promise costs each request. */
  answered?: (response: Response) => void
  /** Creates the response to a request that is not allowed: 403, or 421 if a client names a component. */
  refuse: (status: number, message: string) => Response
  /** Maps a thrown error to a response. */
  failed: (error: unknown) => Response
}

const MISDIRECTED = 'Names in spin.internal are for components. Use the address of the server.'

/** Returns the answer, an error response or the response to a preflight. Never throws. */
export async function guarded(guard: Guarded): Promise<Response> {
  const { request } = guard
  let readable = false
  let response: Response
  try {
    const url = addressOf(request)
    const isForComponent = namesComponent(url)
    if (isForComponent && !hasComponentSender(request)) response = guard.refuse(421, MISDIRECTED)
    else {
      const origin = request.headers.get('origin')
      const found = forbidden(url, origin, guard.lists, isForComponent)
      readable = !found
      // Without an origin, no page asks.
      if (origin !== null && found?.what !== 'Host' && guard.isPublic?.(url.pathname)) {
        // It says itself which pages may read it.
        readable = false
        response = await guard.answer()
        guard.answered?.(response)
      } else if (found) {
        const advice = `Add it to the variable ${found.variable}.`
        response = guard.refuse(403, forbiddenMessage(found, advice))
      } else if (isPreflight(request)) response = preflight(request, guard.cors)
      else {
        response = await guard.answer()
        guard.answered?.(response)
      }
    }
  } catch (error) {
    response = guard.failed(error)
  }
  return withHeaders(response, (headers) => {
    headers.set(CLIENT_REQUEST_ID_HEADER, guard.requestId)
    // Also without an origin, so that a cache does not serve this response to a page.
    headers.append('vary', 'Origin')
    if (readable) allowOrigin(request, headers)
  })
}

// The headers of a response from another component may be immutable.
function withHeaders(response: Response, change: (headers: Headers) => void): Response {
  try {
    change(response.headers)
    return response
  } catch {
    const { body, status, statusText } = response
    const headers = new Headers(response.headers)
    change(headers)
    return new Response(body, { status, statusText, headers })
  }
}
