/**
 * Where a server is and how it wants to be spoken to.
 *
 * @module
 */

/** ComfyUI itself has no authentication; what stands before it does. */
export interface Authentication {
  /** @default 'authorization' */
  header?: string
  /**
   * The word before the value; `''` for none.
   *
   * @default 'Bearer' in `authorization`, none in any other header
   */
  scheme?: string
  /** The key. Never part of an error, and never sent along when a file's address leads to another server. */
  value: string
}

export interface ServerOptions {
  /** For example `http://127.0.0.1:8188`; a path prefix is kept, user and password become an `Authorization`. */
  baseUrl: string
  auth?: Authentication
  /** Sent with every request. `Origin`, `Host`, `Cookie` and `Sec-*` never are. */
  headers?: Record<string, string>
  /** @default the server's own `/api/ws` */
  webSocketUrl?: string
  /** Sent as `?token=` when a WebSocket is opened, which cannot carry headers everywhere (Comfy Cloud). */
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

/** The address for one WebSocket; `clientId` is whose events it gets. */
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
    // Whoever copied the address of the API itself means the same server.
    const path = pathname.replace(/\/+$/, '').replace(/\/api$/, '')
    const base = `${protocol}//${host}${path}`
    return username === '' ? { base } : { base, credentials: basic(username, password) }
  } catch {
    // Not a URL: the request itself will say that nobody can be reached there.
    return { base: trimmed.replace(/\/+$/, '') }
  }
}

function basic(username: string, password: string): string {
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)))
}
