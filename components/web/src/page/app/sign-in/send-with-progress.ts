/** As `fetch`, for a body whose progress is shown: only this older interface of browsers tells it. */
export function sendWithProgress(
  path: string,
  { method = 'GET', headers, body, signal }: RequestInit,
  onSent: (share: number) => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const stop = () => request.abort()
    const end = (settle: () => void) => () => {
      signal?.removeEventListener('abort', stop)
      settle()
    }
    request.open(method, path)
    new Headers(headers).forEach((value, name) => request.setRequestHeader(name, value))
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      if (total > 0) onSent(loaded / total)
    })
    const fail = end(() => reject(new TypeError('The request failed.')))
    request.addEventListener('error', fail)
    request.addEventListener('abort', fail)
    request.addEventListener(
      'load',
      end(() => {
        try {
          resolve(toResponse(request))
        } catch (error) {
          // A proxy's status or header that no response may have.
          reject(error instanceof Error ? error : new TypeError('The answer is not HTTP.'))
        }
      }),
    )
    signal?.addEventListener('abort', stop)
    request.send(body as XMLHttpRequestBodyInit)
    if (signal?.aborted) stop()
  })
}

/** A response with one of these may have no body, not even an empty one. */
const BODILESS = [204, 205, 304]

function toResponse(request: XMLHttpRequest): Response {
  const headers = new Headers()
  for (const line of request.getAllResponseHeaders().split('\r\n')) {
    const colon = line.indexOf(':')
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim())
  }
  const { status } = request
  return new Response(BODILESS.includes(status) ? null : request.responseText, { status, headers })
}
