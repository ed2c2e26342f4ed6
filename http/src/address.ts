/** Addresses. */

const known = new WeakMap<Request, URL>()

/** Parsed once a request, however many ask: to parse it takes as long as to word an answer. Not to be changed. */
export function addressOf(request: Request): URL {
  let url = known.get(request)
  if (!url) known.set(request, (url = new URL(request.url)))
  return url
}

/** `undefined` for text that is not an address. The engine of a component has no `URL.parse`. */
export function urlIn(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}
