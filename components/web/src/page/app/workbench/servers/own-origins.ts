/** Where users of this gateway sign in: no other server may send them there for a token. */
import { discover } from '../../sign-in/authorization-server.ts'
import { METADATA, toResource } from '../../sign-in/resource.ts'

/** @returns origins; `undefined` if they cannot be found out, so that no sign-in is safe. */
export async function ownOrigins(): Promise<ReadonlySet<string> | undefined> {
  try {
    const response = await fetch(METADATA, { credentials: 'same-origin' })
    // The gateway has no authorization server.
    if (response.status === 404) return new Set()
    if (!response.ok) return undefined
    const origins = new Set<string>()
    for (const issuer of toResource(await response.json()).servers) {
      const { authorization_endpoint: page, token_endpoint: tokens } = await discover(issuer)
      for (const address of [issuer, page, tokens]) {
        if (address !== undefined) origins.add(new URL(address).origin)
      }
    }
    return origins
  } catch {
    return undefined
  }
}
