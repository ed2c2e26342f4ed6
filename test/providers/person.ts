/** A user with a browser without scripts: it follows redirects, and fills in the forms of an authorization server. */
import { PASS_PHRASE } from './provider.ts'

const MOST_STEPS = 30
/** What a form calls the user. */
const USER_FIELD = /^(user(name)?|login|email)$/i
const SECRET_FIELD = /^pass(word)?$/i
/** Buttons that refuse, and the box that keeps a user signed in. */
const REFUSING = /^(cancel|deny|reject|decline|rememberMe)$/i

/**
 * Signs in, and allows all that is asked for.
 *
 * @param start of an authorization server.
 * @returns the address of the client that it ends at, which is not requested.
 */
export async function signInAs(user: string, start: URL): Promise<URL> {
  const jar = new Map<string, string>()
  const { origin } = start
  let address = start
  let body: URLSearchParams | undefined
  for (let step = 0; step < MOST_STEPS; step++) {
    const cookie = [...jar].map((pair) => pair.join('=')).join('; ')
    const response = await fetch(address, {
      redirect: 'manual',
      headers: { cookie, ...(body && { origin, referer: address.href }) },
      ...(body && { method: 'POST', body }),
    })
    keep(jar, response)
    const location = response.headers.get('location')
    const text = await response.text()
    if (location !== null) {
      body = undefined
      address = new URL(location, address)
      if (isClient(address, start)) return address
      continue
    }
    const form = formIn(text)
    if (!form) throw new Error(`${response.status} at ${address.href}: ${text.slice(0, 2_000)}`)
    address = new URL(form.action || address.href, address)
    body = filled(form.fields, user)
  }
  throw new Error(`the sign-in does not end: ${address.href}`)
}

/** Also a provider whose pages are at another port than its addresses for clients. */
function isClient(address: URL, start: URL): boolean {
  const back = new URL(start.searchParams.get('redirect_uri') ?? 'http://no.invalid')
  return address.host === back.host && address.pathname === back.pathname
}

function keep(jar: Map<string, string>, response: Response): void {
  for (const line of response.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (/Max-Age=0(;|$)|Expires=Thu, 01[- ]Jan[- ]1970/i.test(line)) jar.delete(name)
    else jar.set(name, value)
  }
}

interface Field {
  name: string
  value: string
}

/** The first form of a page that sends something. */
function formIn(page: string): { action: string; fields: Field[] } | undefined {
  for (const [form, attributes = ''] of page.matchAll(/<form\b([^>]*)>[^]*?<\/form>/gi)) {
    if (!/method="?post/i.test(attributes)) continue
    const fields = [...form.matchAll(/<(?:input|button)\b([^>]*)>/gi)].map(([, text = '']) => ({
      name: attribute(text, 'name'),
      value: attribute(text, 'value'),
    }))
    return { action: attribute(attributes, 'action'), fields }
  }
  return undefined
}

function attribute(text: string, name: string): string {
  const [, value = ''] = new RegExp(`\\b${name}="([^"]*)"`, 'i').exec(text) ?? []
  return value.replaceAll('&amp;', '&').replaceAll('&#x27;', "'").replaceAll('&quot;', '"')
}

function filled(fields: readonly Field[], user: string): URLSearchParams {
  const body = new URLSearchParams()
  for (const { name, value } of fields) {
    if (name === '' || REFUSING.test(name)) continue
    if (USER_FIELD.test(name)) body.set(name, user)
    else if (SECRET_FIELD.test(name)) body.set(name, PASS_PHRASE)
    else if (!body.has(name)) body.set(name, value)
  }
  return body
}
