/** The network of a test: what it does not name cannot be reached. */

/** Text, bytes, a whole `Response`, or anything else as JSON. */
export type FetchAnswer = string | number | boolean | null | object

/** Asked at each request; what it throws is what `fetch` rejects with. */
export type FetchHandler = (request: Request) => FetchAnswer | Promise<FetchAnswer>

/**
 * By address, with the method in front where it matters: `https://api.example/now`, `POST https://api.example/orders`.
 * A `*` stands for any characters. The query counts only where the key has one. The first key that fits answers.
 */
export type FetchHandlers = Readonly<Record<string, FetchAnswer | FetchHandler>>

export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

/** @param fallback asked where no handler fits; `undefined`: it does not know the address either. */
export function fetchFrom(
  handlers: FetchHandlers | Fetch = {},
  fallback: (request: Request) => Promise<Response> | undefined = () => undefined,
): Fetch {
  if (isFunction(handlers)) {
    return async (input, init) => {
      const request = new Request(input, init)
      return fallback(request) ?? handlers(request)
    }
  }
  const rows = Object.entries(handlers).map(([key, answer]) => ({
    fits: matcher(key),
    isInternal: key.includes('.spin.internal'),
    answer,
  }))
  return async (input, init) => {
    const request = new Request(input, init)
    const row = rows.find(({ fits }) => fits(request))
    // A handler for any address is one for the network, and not for the other components of the test.
    const component = row && !row.isInternal ? fallback(request) : undefined
    if (component) return component
    if (row) {
      const { answer } = row
      return toResponse(isHandler(answer) ? await answer(request) : answer)
    }
    const answered = fallback(request)
    if (answered) return answered
    const known = Object.keys(handlers).join(', ') || 'none'
    throw new TypeError(
      `${request.method} ${request.url}: this test has no handler for it (there are: ${known}). ` +
        `Add one: { fetch: { '${request.method} ${request.url}': answer } }`,
    )
  }
}

function isFunction(handlers: FetchHandlers | Fetch): handlers is Fetch {
  return typeof handlers === 'function'
}

function isHandler(answer: FetchAnswer | FetchHandler): answer is FetchHandler {
  return typeof answer === 'function'
}

function matcher(key: string): (request: Request) => boolean {
  const [, method, address = key] = /^([A-Z]+) (.*)$/s.exec(key) ?? []
  const pattern = new RegExp(`^${address.split('*').map(escape).join('.*')}$`, 's')
  const bare = !address.includes('?')
  return (request) => {
    if (method !== undefined && request.method !== method) return false
    const url = bare ? request.url.replace(/[?#].*$/s, '') : request.url
    // An address without a path is that of "/".
    return pattern.test(url) || (url.endsWith('/') && pattern.test(url.slice(0, -1)))
  }
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

function toResponse(answer: FetchAnswer): Response {
  // Handed out each time it is asked for, and a body can be read once only.
  if (answer instanceof Response) return answer.clone()
  if (typeof answer === 'string') return new Response(answer)
  if (answer instanceof Uint8Array) return new Response(answer.slice())
  return Response.json(answer)
}
