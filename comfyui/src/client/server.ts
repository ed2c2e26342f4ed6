/** Address, credentials and headers for requests to a ComfyUI server. */

/** ComfyUI itself has no authentication; a proxy in front of it may require it. */
export interface Authentication {
  /** @default 'authorization' */
  header?: string
  /**
   * Word before the value; `''` omits it.
   *
   * @default 'Bearer' in `authorization`, none in any other header
   */
  scheme?: string
  /** The key. It is never part of an error, and never sent when a file request is redirected. */
  value: string
}

export interface ServerOptions {
  /** For example `http://127.0.0.1:8188`; a path prefix is kept, user and password become an `Authorization`. */
  baseUrl: string
  auth?: Authentication
  /** Sent with every request, except `Origin`, `Host`, `Cookie` and `Sec-*`, which are dropped. */
  headers?: Record<string, string>
  /** @default the server's own `/api/ws` */
  webSocketUrl?: string
  /** Sent as `?token=` when a WebSocket is opened, because not every client can set headers there (Comfy Cloud). */
  webSocketToken?: string
}

export interface ServerAddress {
  /** Prefix of every path, without `/api`. */
  base: string
  headers: Record<string, string>
}

export function toAddress({ baseUrl, auth, headers = {} }: ServerOptions): ServerAddress {
  const { base, credentials } = readBaseUrl(baseUrl)
  return {
    base,
    headers: {
      ...headers,
      ...(credentials !== undefined && { authorization: `Basic ${credentials}` }),
      ...(auth && toHeader(auth)),
    },
  }
}

/** The URL of one WebSocket; it receives the events of `clientId`. */
export function toWebSocketUrl(options: ServerOptions, clientId: string): string {
  const { base } = readBaseUrl(options.baseUrl)
  const url = new URL(options.webSocketUrl ?? `${base}/api/ws`)
  if (url.protocol === 'http:') url.protocol = 'ws:'
  if (url.protocol === 'https:') url.protocol = 'wss:'
  url.searchParams.set('clientId', clientId)
  if (options.webSocketToken !== undefined) url.searchParams.set('token', options.webSocketToken)
  return url.href
}

function toHeader({ header = 'authorization', scheme, value }: Authentication) {
  const word = scheme ?? (header.toLowerCase() === 'authorization' ? 'Bearer' : '')
  return { [header]: word === '' ? value : `${word} ${value}` }
}

function readBaseUrl(text: string): { base: string; credentials?: string } {
  const trimmed = text.trim()
  try {
    const { protocol, host, pathname, username, password } = new URL(trimmed)
    // Accept the address of the API too: `/api` is added to every path later.
    const path = pathname.replace(/\/+$/, '').replace(/\/api$/, '')
    const base = `${protocol}//${host}${path}`
    return username === '' ? { base } : { base, credentials: basic(username, password) }
  } catch {
    // Not a URL: keep it, the request will then fail with `unreachable`.
    return { base: trimmed.replace(/\/+$/, '') }
  }
}

function basic(username: string, password: string): string {
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)))
}
