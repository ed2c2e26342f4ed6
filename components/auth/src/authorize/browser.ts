/**
 * Binds a page to the browser that got it: a form that another site made, or that another browser got, is refused.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9700#section-4.7
 */
import { sha256 } from 'ftl-http'
import { randomText } from '../crypto/random.ts'
import { isSameText } from '../crypto/same-text.ts'
import type { Scope } from '../scope.ts'

export interface Browser {
  /** What sealed values name it by. */
  digest: string
  /** For the response. */
  cookie: string
}

/** With the prefix, no other host of the domain can set it. It needs https. */
function nameOf({ settings }: Scope, name: string): string {
  return settings.issuer.startsWith('https:') ? `__Host-${name}` : name
}

function setCookie(scope: Scope, name: string, value: string, seconds: number): string {
  const isSecure = scope.settings.issuer.startsWith('https:')
  const parts = [`${nameOf(scope, name)}=${value}`, 'Path=/', 'HttpOnly', 'SameSite=Lax']
  return [...parts, `Max-Age=${seconds}`, ...(isSecure ? ['Secure'] : [])].join('; ')
}

function readCookie(scope: Scope, name: string): string | undefined {
  const wanted = `${nameOf(scope, name)}=`
  const found = (scope.request.headers.get('cookie') ?? '')
    .slice(0, 16_384)
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(wanted))
  // With two, one was set by another site of the domain.
  return found.length === 1 ? found[0]?.slice(wanted.length) : undefined
}

const NAME = 'ftl-auth'
const SECONDS = 3_600

export async function browserOf(scope: Scope): Promise<Browser> {
  const known = readCookie(scope, NAME)
  // The same for several tabs. It is set again, so that it does not expire before the page that is sent now.
  const value = known !== undefined && /^[\w-]{22}$/.test(known) ? known : randomText(16)
  return { digest: await sha256(value), cookie: setCookie(scope, NAME, value, SECONDS) }
}

/** Whether a form comes from a page of this server, and from the browser that it was made for. */
export async function isOwnForm(scope: Scope, digest: string): Promise<boolean> {
  const { headers } = scope.request
  const origin = headers.get('origin')
  if (origin !== null && origin !== scope.settings.issuer) return false
  const site = headers.get('sec-fetch-site')
  if (site !== null && site !== 'same-origin') return false
  const known = readCookie(scope, NAME)
  return known !== undefined && isSameText(await sha256(known), digest)
}
