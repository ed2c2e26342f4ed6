/** Revocation by the operator: `auth_deny`. */
import { sha256 } from 'ftl-http'
import type { Caller } from './caller.ts'

/** @param denied entries such as `sub:ada`. */
export async function isDenied(
  denied: ReadonlySet<string>,
  { principal, subject, client, tokenId }: Caller,
  token: string,
): Promise<boolean> {
  if (denied.size === 0) return false
  const names = { principal, sub: subject, client, jti: tokenId }
  return (
    Object.entries(names).some(
      ([kind, name]) => name !== undefined && denied.has(`${kind}:${name}`),
    ) || denied.has(`token:${await sha256(token)}`)
  )
}
