/**
 * Who is refused although it is known who it is: the one decision, about a caller by token, key, proxy, link or the
 * capability of a run, and whether its verdict was kept or is new.
 */
import type { Settings } from '../settings.ts'
import type { Caller } from '../caller.ts'

/** `denied`: by the operator's `auth_deny`; `scopes`: it lacks some of `auth_scopes`. */
export type Refusal = 'denied' | 'scopes'

export function refusalOf(
  caller: Caller,
  { authDeny, authScopes }: Pick<Settings, 'authDeny' | 'authScopes'>,
): Refusal | undefined {
  if (authDeny.size > 0 && isDenied(authDeny, caller)) return 'denied'
  // A link opens one job and has no scopes; the caller who got it had them.
  const { scopes = [], byLink } = caller
  return byLink || authScopes.every((needed) => scopes.includes(needed)) ? undefined : 'scopes'
}

/** @param denied entries such as `sub:ada`. */
function isDenied(denied: ReadonlySet<string>, caller: Caller): boolean {
  const { principal, name, client, tokenId, digest } = caller
  const sub = subjectOf(principal)
  const names = { principal, sub, name, client, jti: tokenId, token: digest }
  return Object.entries(names).some(
    ([kind, value]) => value !== undefined && denied.has(`${kind}:${value}`),
  )
}

/** The user's name, also where only the principal is known. That of a proxy is a name; a key has none. */
function subjectOf(principal: string): string | undefined {
  if (principal.startsWith('key:')) return undefined
  const [, encoded] = /^https?:[^#]*#(.*)$/i.exec(principal) ?? []
  return encoded === undefined ? principal : decodeURIComponent(encoded)
}
