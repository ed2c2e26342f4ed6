import type { SignIn } from 'ftl-client/auth'
import { visible } from '../terminal/visible-text.ts'

/** What a user needs to know of a sign-in. Contains no token. */
export function describeSignIn({
  server,
  issuer,
  client,
  grant,
  tokens,
}: SignIn): [string, string][] {
  return [
    ['server', visible(server)],
    ['issuer', visible(issuer)],
    ['client', visible(grant === 'client_credentials' ? `${client.id} (a machine)` : client.id)],
    ['scopes', visible(tokens.scope ?? 'not named')],
    ['token', validity(tokens, grant)],
  ]
}

/** @param now in milliseconds since 1970 */
export function validity(
  { expiresAt, refreshToken }: SignIn['tokens'],
  grant: SignIn['grant'],
  now = Date.now(),
): string {
  const isRenewed = refreshToken !== undefined || grant === 'client_credentials'
  const then = isRenewed ? 'renewed automatically' : 'then sign in again'
  if (expiresAt === undefined) return 'valid for an unknown time'
  if (expiresAt <= now)
    return isRenewed ? 'expired; renewed at the next call' : 'expired: sign in again'
  return `valid for ${duration(expiresAt - now)}; ${then}`
}

const UNITS: [string, number][] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

/** In whole units: `5 minutes`. */
export function duration(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000)
  for (const [name, size] of UNITS) {
    const count = Math.floor(seconds / size)
    if (count >= 1) return `${count} ${name}${count === 1 ? '' : 's'}`
  }
  return `${seconds} second${seconds === 1 ? '' : 's'}`
}
