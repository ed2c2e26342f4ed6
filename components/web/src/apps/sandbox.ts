/**
 * `GET /app/sandbox`: the document in which the page shows MCP Apps.
 *
 * The gateway has one origin, so this document must not have it: the policy's `sandbox` gives it an opaque origin, however
 * it is opened. What an app may load and reach is in the query, because an app inherits the policy of this document.
 *
 * That policy does not cover WebRTC, and some browsers open a connection before they refuse it. Chromium has a list of hosts for
 * all connections. In other browsers, the guard removes the constructors of WebRTC from the only frame in which scripts run.
 *
 * @see https://www.w3.org/TR/CSP3/#directive-sandbox
 * @see https://wicg.github.io/connection-allowlists/
 */
import { type Domains, readDomains } from './domains.ts'
import type { Page } from '../site.ts'

export const SANDBOX_PATH = '/app/sandbox'

/** Replaced in each answer; no script has it. */
const NONCE = '{{nonce}}'

const SCRIPT = /<script type="module" src="\.\/([^"]+)"><\/script>/

/** Only the page may frame it. */
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'x-frame-options': 'SAMEORIGIN',
  'x-dns-prefetch-control': 'off',
}

/** @throws {TypeError} while the component is built, if the document has no script. */
export function createSandbox({
  html,
  files,
}: Page): (request: Request, nonce: string) => Response {
  const document = html.replace(SCRIPT, (_, path: string) => {
    const { body } = files[path] ?? {}
    if (body === undefined || body.includes('</script')) throw new TypeError(`no script ${path}`)
    return `<script type="module" nonce="${NONCE}">${body}</script>`
  })
  if (document === html) throw new TypeError('the sandbox has no script')
  return (request, nonce) => {
    const { searchParams } = new URL(request.url)
    const lists = (kind: string) => searchParams.getAll(kind)
    const domains = readDomains({
      connect: lists('connect'),
      resource: lists('resource'),
      frame: lists('frame'),
      base: lists('base'),
    })
    const headers = {
      ...HEADERS,
      // All of the policies hold.
      'content-security-policy': `${policy(domains)}, ${scriptPolicy(nonce)}`,
      'connection-allowlist': allowlist(domains),
    }
    return new Response(document.replace(NONCE, nonce), { headers })
  }
}

/**
 * No script without the nonce: neither inline, in attributes, in addresses nor from a declared host, in no frame that an app
 * makes. What a script with it adds may run.
 */
function scriptPolicy(nonce: string): string {
  return `script-src-elem 'nonce-${nonce}' 'strict-dynamic'; script-src-attr 'none'`
}

/**
 * A structured field: one list of URL patterns.
 *
 * Chromium 156 compares the address of a WebSocket as if its scheme were that of HTTP. The policy still tells them apart.
 */
function allowlist({ connect, resource, frame }: Domains): string {
  const origins = [...connect, ...resource, ...frame].flatMap((origin) =>
    origin.startsWith('ws') ? [origin, origin.replace('ws', 'http')] : [origin],
  )
  const patterns = origins.map((origin) => `"${origin}/*"`)
  return `(${[...new Set(patterns)].join(' ')})`
}

/** There is no `'self'`: the gateway's own files and routes are not for apps. */
function policy({ connect, resource, frame, base }: Domains): string {
  const sources = (...list: string[]) => (list.length > 0 ? list.join(' ') : "'none'")
  return [
    'sandbox allow-scripts allow-forms',
    "default-src 'none'",
    `script-src ${sources("'unsafe-inline'", ...resource)}`,
    `style-src ${sources("'unsafe-inline'", ...resource)}`,
    `img-src ${sources('data:', 'blob:', ...resource)}`,
    `media-src ${sources('data:', 'blob:', ...resource)}`,
    `font-src ${sources('data:', ...resource)}`,
    `connect-src ${sources(...connect)}`,
    `frame-src ${sources(...frame)}`,
    `base-uri ${sources(...base)}`,
    "object-src 'none'",
    // `allow-forms` lets scripts handle a form; nothing may be sent by one.
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; ')
}
