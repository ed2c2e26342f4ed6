/** Access tokens. @see https://www.rfc-editor.org/rfc/rfc9068 */
import { SignJWT } from 'jose'
import type { User } from '../grants/book.ts'
import { randomText } from '../crypto/random.ts'
import type { Scope } from '../scope.ts'
import { TOKEN_MS } from './key-plan.ts'
import { currentSigner } from './signing-keys.ts'

export interface Issued {
  user: User
  clientId: string
  resource: string
  scopes: readonly string[]
}

export async function accessToken(
  { vault, settings, platform }: Scope,
  { user, clientId, resource, scopes }: Issued,
): Promise<string> {
  const now = platform.now()
  const { kid, key } = await currentSigner(vault, now)
  const second = Math.floor(now / 1000)
  return new SignJWT({
    iss: settings.issuer,
    sub: user.sub,
    aud: resource,
    client_id: clientId,
    iat: second,
    exp: second + TOKEN_MS / 1000,
    jti: randomText(16),
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    ...(user.groups.length > 0 && { groups: user.groups }),
    preferred_username: user.name,
  })
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid })
    .sign(key)
}
