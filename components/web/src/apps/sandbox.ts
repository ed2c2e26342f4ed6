/**
 * `GET /app/sandbox`: the document in which the page shows MCP Apps.
 *
 * The gateway has one origin, so this document must not have it: the policy's `sandbox` gives it an opaque origin, however
 * it is opened. What an app may load and reach is in the query, because an app inherits the policy of this document.
 *
 * @see https://www.w3.org/TR/CSP3/#directive-sandbox
 */
import { type Domains, readDomains } from './domains.ts'
import type { Page } from '../site.ts'

export const SANDBOX_PATH = '/app/sandbox'

const SCRIPT = /<script type="module" src="\.\/([^"]+)"><\/script>/

/** Only the page may frame it. */
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'x-frame-options': 'SAMEORIGIN',
  'x-dns-prefetch-control': 'off',
}

/** @throws {TypeError} while the component is built, if the document has no script. */
export function createSandbox({ html, files }: Page): (request: Request) => Response {
  const document = html.replace(SCRIPT, (_, path: string) => {
    const { body } = files[path] ?? {}
    if (body === undefined || body.includes('</script')) throw new TypeError(`no script ${path}`)
    return `<script type="module">${body}</script>`
  })
  if (document === html) throw new TypeError('the sandbox has no script')
  return (request) => {
    const { searchParams } = new URL(request.url)
    const lists = (kind: string) => searchParams.getAll(kind)
    const domains = readDomains({
      connect: lists('connect'),
      resource: lists('resource'),
      frame: lists('frame'),
      base: lists('base'),
    })
    const headers = { ...HEADERS, 'content-security-policy': policy(domains) }
    return new Response(document, { headers })
  }
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
