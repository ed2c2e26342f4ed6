/** Cookies of this server. */
import type { Scope } from '../scope.ts'

export interface CookieOptions {
  /** With 0, the browser forgets it. */
  seconds: number
  /** @default '/' */
  path?: string
}

const isSecure = ({ settings }: Scope) => settings.issuer.startsWith('https:')

/** With the prefix, no other host of the domain can set it; a browser takes it for the path `/` only. It needs https. */
function nameOf(scope: Scope, name: string, path: string): string {
  if (!isSecure(scope)) return name
  return `${path === '/' ? '__Host' : '__Secure'}-${name}`
}

export function setCookie(
  scope: Scope,
  name: string,
  value: string,
  { seconds, path = '/' }: CookieOptions,
): string {
  const parts = [
    `${nameOf(scope, name, path)}=${value}`,
    `Path=${path}`,
    'HttpOnly',
    'SameSite=Lax',
  ]
  return [...parts, `Max-Age=${seconds}`, ...(isSecure(scope) ? ['Secure'] : [])].join('; ')
}

const cookiesOf = ({ request }: Scope): string[] =>
  (request.headers.get('cookie') ?? '')
    .slice(0, 32_768)
    .split(';')
    .map((part) => part.trim())

/** @returns those whose names begin so, the oldest first: browsers send them in this order. */
export function readCookies(
  scope: Scope,
  start: string,
  path: string,
): { name: string; value: string }[] {
  const before = nameOf(scope, '', path)
  return cookiesOf(scope)
    .filter((part) => part.startsWith(before + start) && part.includes('='))
    .map((part) => {
      const at = part.indexOf('=')
      return { name: part.slice(before.length, at), value: part.slice(at + 1) }
    })
}

export function readCookie(scope: Scope, name: string, path = '/'): string | undefined {
  const wanted = `${nameOf(scope, name, path)}=`
  const found = cookiesOf(scope).filter((part) => part.startsWith(wanted))
  // With two, one was set by another site of the domain.
  return found.length === 1 ? found[0]?.slice(wanted.length) : undefined
}
