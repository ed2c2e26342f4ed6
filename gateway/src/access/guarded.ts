/** Wraps every response of a public component: checks host and origin, and adds CORS headers and the request id. */
import type { Settings } from '../settings.ts'
import { CLIENT_REQUEST_ID_HEADER } from '../request-id.ts'
import { allowOrigin, isPreflight, preflight } from './cors.ts'
import { refusal } from './guard.ts'

export interface Guarded {
  request: Request
  /** Sent in the response, so that the client can refer to the request. */
  requestId: string
  /** Each is read only if the request needs it. */
  settings: Pick<Settings, 'allowedHosts' | 'allowedOrigins'>
  /** Answers a request that is allowed and is not a preflight. */
  answer: () => Response | Promise<Response>
  /** Maps a thrown error to a response. */
  failed: (error: unknown) => Response
}

/** Returns the answer, an error response or the response to a preflight. Never throws. */
export async function guarded({
  request,
  requestId,
  settings,
  answer,
  failed,
}: Guarded): Promise<Response> {
  let readable = false
  let response: Response
  try {
    const refused = refusal(request, settings)
    readable = !refused
    if (refused) response = refused
    else if (isPreflight(request)) response = preflight(request)
    else response = await answer()
  } catch (error) {
    response = failed(error)
  }
  return withHeaders(response, (headers) => {
    headers.set(CLIENT_REQUEST_ID_HEADER, requestId)
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
