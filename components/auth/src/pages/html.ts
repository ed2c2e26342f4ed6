/** Pages without scripts. */
import { PATHS } from '../metadata.ts'

/** Text that is markup already. */
export class Markup {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Part = string | Markup | readonly Markup[]

/** Everything that is put in is escaped, unless it is {@link Markup}. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Markup {
  return new Markup(strings.map((text, at) => text + partOf(parts[at] ?? '')).join(''))
}

function partOf(part: Part): string {
  if (part instanceof Markup) return part.text
  if (typeof part === 'string') return escaped(part)
  return part.map(({ text }) => text).join('')
}

function escaped(text: string): string {
  return text.replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`)
}

export interface PageOptions {
  status?: number
  /** Where the browser goes on by itself. In the page, because proxies limit the length of a header. */
  next?: string
  headers?: Readonly<Record<string, string>>
  /** For the browser. */
  cookies?: readonly (string | undefined)[]
}

/** No script, no frame, and forms to this server only. */
const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

export function page(title: string, body: Markup, options: PageOptions = {}): Response {
  const { status = 200, next, headers = {}, cookies = [] } = options
  const { text } = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        ${next === undefined ? '' : html`<meta http-equiv="refresh" content="0;url=${next}" />`}
        <title>${title}</title>
        <link rel="stylesheet" href="${PATHS.style}" />
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${body}
        </main>
      </body>
    </html> `
  const response = new Response(text, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': POLICY,
      'cache-control': 'no-store',
      // With "no-referrer", a form of this page would have the origin "null".
      'referrer-policy': 'same-origin',
      ...headers,
    },
  })
  for (const cookie of cookies)
    if (cookie !== undefined) response.headers.append('set-cookie', cookie)
  return response
}

export const STYLE = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{margin:0;display:grid;min-height:100vh;place-items:center}
main{box-sizing:border-box;width:min(30rem,100%);padding:1.5rem}
h1{font-size:1.4rem}
dl{display:grid;grid-template-columns:auto 1fr;gap:.25rem 1rem}
dt{opacity:.75}
dd{margin:0;overflow-wrap:anywhere}
label{display:block;margin:.75rem 0}
input{box-sizing:border-box;width:100%;padding:.5rem;font:inherit}
button{padding:.5rem 1.25rem;font:inherit;margin:.75rem .5rem 0 0}
li{margin:1rem 0;overflow-wrap:anywhere}
.problem{border-left:.25rem solid #c33;padding-left:.75rem}
`
