/**
 * What stands around every answer of a public component: who may ask, what a page may read, and the request's id.
 *
 * @module
 */
import type { Settings } from '../settings.ts'
import { CLIENT_REQUEST_ID_HEADER } from '../request-id.ts'
import { allowOrigin, preflight } from './cors.ts'
import { refusal } from './guard.ts'

export interface Guarded {
  request: Request
  /** Goes into the response, so that whoever asked can name the request. */
  requestId: string
  /** Read only where the request needs them. */
  settings: Pick<Settings, 'allowedHosts' | 'allowedOrigins'>
  /** Answers a request that may be served and is no preflight. */
  answer: () => Response | Promise<Response>
  /** Answers for whatever was thrown. */
  failed: (error: unknown) => Response
}

/** The answer, a refusal or the answer to a preflight; never throws. */
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
    else if (request.method === 'OPTIONS') response = preflight(request)
    else response = await answer()
  } catch (error) {
    response = failed(error)
  }
  return withHeaders(response, (headers) => {
    headers.set(CLIENT_REQUEST_ID_HEADER, requestId)
    // Also without an origin: a cache must not give that answer to a page.
    headers.append('vary', 'Origin')
    if (readable) allowOrigin(request, headers)
  })
}

// A response that another component sent may have headers that cannot be changed.
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
