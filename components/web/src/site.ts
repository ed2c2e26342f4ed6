/**
 * The page as responses: the document, which is asked for anew each time, and its files, which never change under a name.
 *
 * @module
 */

export interface PageFile {
  type: string
  body: string
  /** The same, compressed, in base64. */
  gzip: string
}

/** What the builder makes of an imported page. */
export interface Page {
  html: string
  /** Changes with anything of the page. */
  hash: string
  /** By path, without a slash in front. */
  files: Record<string, PageFile>
}

/** The attribute of the page's `html` element that names the bridge. */
const BRIDGE_SLOT = 'data-bridge=""'

export interface Site {
  /** @param bridge origin of the bridge as a WebSocket address. */
  document(request: Request, bridge: string): Response
  /** Nothing where there is no such file. */
  file(request: Request, path: string): Response | undefined
}

/** Everything that can be prepared is, while the component is built. */
export function createSite({ html, hash, files }: Page): Site {
  const prepared = new Map(
    Object.entries(files).map(([path, { type, body, gzip }]) => [
      `/${path}`,
      { type, body, gzip: bytesOf(gzip) },
    ]),
  )
  return {
    document(request, bridge) {
      // The address comes from the operator, or from the Host that was let through: harmless, but never trusted.
      const address = bridge.replace(/[^\w:/.[\]%-]/g, '')
      const etag = `"${hash}-${digest(address)}"`
      const headers = new Headers({
        ...{ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache', etag },
        'content-security-policy': policy(address),
      })
      if (request.headers.get('if-none-match')?.includes(etag)) {
        return new Response(null, { status: 304, headers })
      }
      const body = html.replace(BRIDGE_SLOT, `data-bridge="${address}"`)
      return new Response(body, { headers })
    },
    file(request, path) {
      const file = prepared.get(path)
      if (!file) return undefined
      const headers = new Headers({
        ...{ 'content-type': file.type, 'cache-control': 'public, max-age=31536000, immutable' },
        vary: 'Accept-Encoding',
      })
      const takesGzip = /\bgzip\b(?!;\s*q=0(\.0*)?\s*(,|$))/.test(
        request.headers.get('accept-encoding') ?? '',
      )
      if (takesGzip) headers.set('content-encoding', 'gzip')
      return new Response(takesGzip ? file.gzip : file.body, { headers })
    },
  }
}

/**
 * Nothing but this origin and the bridge. A tool's result is text to the page; should a mistake ever make it markup, this is
 * what keeps it from running or from telling anybody anything.
 *
 * @see https://www.w3.org/TR/CSP3/
 */
function policy(bridge: string): string {
  // With a path it would be that path alone, and nothing below it.
  const [origin = ''] = /^\w+:\/\/[^/]+/.exec(bridge) ?? []
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    `connect-src 'self' ${origin}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}

/** FNV-1a. */
function digest(text: string): string {
  let hash = 0x811c9dc5
  for (const character of text) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  }
  return (hash >>> 0).toString(16)
}
