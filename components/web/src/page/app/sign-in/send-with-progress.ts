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
      end(() => resolve(toResponse(request))),
    )
    signal?.addEventListener('abort', stop)
    request.send(body as XMLHttpRequestBodyInit)
    if (signal?.aborted) stop()
  })
}

function toResponse(request: XMLHttpRequest): Response {
  const headers = new Headers()
  for (const line of request.getAllResponseHeaders().split('\r\n')) {
    const colon = line.indexOf(':')
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim())
  }
  return new Response(request.responseText, { status: request.status, headers })
}
