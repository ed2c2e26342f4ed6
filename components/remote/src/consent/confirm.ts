/** Takes tokens into use when their user gives the code that the browser has shown. */
import { type ConsentServer, type Consents, ownerOf } from './consents.ts'
import { plainCode } from './code.ts'
import type { Pending } from './flow.ts'

/** Then the sign-in begins again. */
const MOST_TRIES = 5

/** `wrong`: another code may be tried. `none`: there is nothing to confirm, or no try is left. */
export type Confirmed = 'confirmed' | 'wrong' | 'none'

export async function confirm(
  { entries, platform }: Consents,
  server: ConsentServer,
  principal: string,
  given: string,
): Promise<Confirmed> {
  const owner = ownerOf(server, principal)
  const found = await entries.get<Pending>('pending', owner)
  if (!found) return 'none'
  const { grant, code, tries, until } = found.value
  if (platform.now() >= until) {
    await entries.remove('pending', owner)
    return 'none'
  }
  if (plainCode(given) === code) {
    await entries.put('grant', owner, grant)
    await entries.remove('pending', owner)
    return 'confirmed'
  }
  if (tries + 1 >= MOST_TRIES) {
    await entries.remove('pending', owner)
    return 'none'
  }
  await entries.put('pending', owner, { ...found.value, tries: tries + 1 })
  return 'wrong'
}
