/**
 * Binds a page to the browser that got it: a form that another site made, or that another browser got, is refused.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9700#section-4.7
 */
import { sha256 } from 'ftl-http'
import { randomText } from '../crypto/random.ts'
import { isSameText } from '../crypto/same-text.ts'
import type { Scope } from '../scope.ts'
import { readCookie, setCookie } from './cookies.ts'

export interface Browser {
  /** What sealed values name it by. */
  digest: string
  /** For the response. */
  cookie: string
}

const NAME = 'ftl-auth'
const SECONDS = 3_600

export async function browserOf(scope: Scope): Promise<Browser> {
  const known = readCookie(scope, NAME)
  // The same for several tabs. It is set again, so that it does not expire before the page that is sent now.
  const value = known !== undefined && /^[\w-]{22}$/.test(known) ? known : randomText(16)
  return {
    digest: await sha256(value),
    cookie: setCookie(scope, NAME, value, { seconds: SECONDS }),
  }
}

/** Whether the request comes from the browser of this digest. */
export async function isBrowser(scope: Scope, digest: string): Promise<boolean> {
  const known = readCookie(scope, NAME)
  return known !== undefined && isSameText(await sha256(known), digest)
}

/** Whether a form comes from a page of this server, and from the browser that it was made for. */
export async function isOwnForm(scope: Scope, digest: string): Promise<boolean> {
  const { headers } = scope.request
  const origin = headers.get('origin')
  if (origin !== null && origin !== scope.settings.issuer) return false
  const site = headers.get('sec-fetch-site')
  if (site !== null && site !== 'same-origin') return false
  return isBrowser(scope, digest)
}
