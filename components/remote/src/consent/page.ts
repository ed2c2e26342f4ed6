/** The pages of a sign-in: plain HTML without scripts. */

/** Marks that change the direction of text, and characters that cannot be seen. */
const HIDDEN = /[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
])

/** Text as it is safe between tags and in attributes. */
export function escapeHtml(text: string): string {
  return text.replace(HIDDEN, '�').replace(/[&<>"']/g, (each) => ENTITIES.get(each) ?? '')
}

const STYLE =
  'body{font:1.1rem/1.5 system-ui,sans-serif;max-width:34rem;margin:3rem auto;padding:0 1rem;color-scheme:light dark}' +
  'button{font:inherit;padding:.5rem 1.2rem}strong{overflow-wrap:anywhere}.code{font:2rem ui-monospace,monospace}'

/** @param body HTML, in which every text is escaped. */
export function page(
  status: number,
  title: string,
  body: string,
  headers: Record<string, string> = {},
): Response {
  const safe = escapeHtml(title)
  return new Response(
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
      `<title>${safe}</title><style>${STYLE}</style><h1>${safe}</h1>${body}</html>\n`,
    {
      status,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        // Without form-action: browsers would apply it to the redirect to the authorization server.
        'content-security-policy':
          "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
        // The address has the ticket, or a code.
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        ...headers,
      },
    },
  )
}

export function problemPage(status: number, text: string): Response {
  return page(status, 'You are not signed in', `<p>${escapeHtml(text)}</p>`)
}
