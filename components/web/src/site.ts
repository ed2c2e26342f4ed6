/**
 * Serves the page: browsers revalidate the document on each load, and cache its files, whose names change with content.
 */
import { fnv1a } from 'ftl-contract'

export interface PageFile {
  type: string
  body: string
  /** The gzipped body in base64. */
  gzip: string
  /** The body as Brotli, in base64. */
  brotli: string
}

/** An imported page, as the builder produces it. */
export interface Page {
  html: string
  /** Changes with any part of the page. */
  hash: string
  /** By path, without a leading slash. */
  files: Record<string, PageFile>
}

/** What a document needs to know of its application. */
export interface Facts {
  /** Address of the bridge, as a WebSocket address. @default none */
  bridge?: string
  /** Clients that users sign in by, as JSON. @default none */
  clients?: string
  /** Origins that the document may request while a user signs in. @default none */
  origins?: readonly string[]
  /** Sources of a policy: other MCP servers that the workbench may request. @default none */
  servers?: readonly string[]
}

export interface SiteOptions {
  /** Path of the folder that the files are in, as the document refers to it. @default '/' */
  folder?: string
  /** Whether browsers may keep the document. Its address may contain a secret. @default true */
  isKept?: boolean
}

export interface Site {
  document(request: Request, facts?: Facts): Response
  /** @returns `undefined` if the file does not exist. */
  file(request: Request, path: string): Response | undefined
}

/** The smaller first. Not one that the client excludes with `q=0`. */
const ENCODINGS = [
  ['br', /\bbr\b(?!;\s*q=0(\.0*)?\s*(,|$))/],
  ['gzip', /\bgzip\b(?!;\s*q=0(\.0*)?\s*(,|$))/],
] as const

/** Decodes the files here, because this runs only once, while the component is built. */
export function createSite(
  { html, hash, files }: Page,
  { folder = '/', isKept = true }: SiteOptions = {},
): Site {
  const prepared = new Map(
    Object.entries(files).map(([path, { type, body, gzip, brotli }]) => [
      folder + path,
      { type, body, packed: { br: bytesOf(brotli), gzip: bytesOf(gzip) } },
    ]),
  )
  return {
    document(request, { bridge = '', clients = '', origins = [], servers = [] } = {}) {
      // The address comes from the operator, or from a Host header that passed the checks; escape it anyway.
      const address = bridge.replace(/[^\w:/.[\]%-]/g, '')
      const security = policy(address, [...origins, ...servers])
      const etag = `"${hash}-${fnv1a(`${security} ${address} ${clients}`).toString(16)}"`
      const headers = new Headers({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': isKept ? 'no-cache' : 'no-store',
        'content-security-policy': security,
        ...(isKept && { etag }),
      })
      if (isKept && request.headers.get('if-none-match')?.includes(etag)) {
        return new Response(null, { status: 304, headers })
      }
      const body = html
        .replace('data-bridge=""', `data-bridge="${address}"`)
        .replace('data-clients=""', () => `data-clients="${escaped(clients)}"`)
        .replace('data-servers=""', () => `data-servers="${escaped(servers.join(' '))}"`)
      return new Response(body, { headers })
    },
    file(request, path) {
      const file = prepared.get(path)
      if (!file) return undefined
      const headers = new Headers({
        'content-type': file.type,
        'cache-control': 'public, max-age=31536000, immutable',
        vary: 'Accept-Encoding',
      })
      const accepted = request.headers.get('accept-encoding') ?? ''
      const encoding = ENCODINGS.find(([, pattern]) => pattern.test(accepted))?.[0]
      if (encoding) headers.set('content-encoding', encoding)
      return new Response(encoding ? file.packed[encoding] : file.body, { headers })
    },
  }
}

/**
 * Allows only this origin, the bridge, the authorization servers and the MCP servers of `page_servers`. The page shows a tool's result as text; if a bug ever inserted it as markup,
 * this policy would prevent it from running scripts and from sending data to other hosts.
 *
 * @see https://www.w3.org/TR/CSP3/
 */
function policy(bridge: string, origins: readonly string[]): string {
  // A source with a path would match only this exact path, not those below it.
  const [origin = ''] = /^\w+:\/\/[^/]+/.exec(bridge) ?? []
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    // Sound and films of a tool's result, which run no scripts.
    "media-src 'self' data: blob:",
    ['connect-src', ...new Set(["'self'", origin, ...origins])]
      .filter((source) => source !== '')
      .join(' '),
    // The sandbox of MCP Apps: all other documents of this origin refuse to be framed.
    "frame-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Without an array of the characters in between: a component's memory never shrinks. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64)
  const bytes = new Uint8Array(text.length)
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at)
  return bytes
}
