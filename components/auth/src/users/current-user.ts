/** A user of an earlier sign-in, by the settings of now. */
import type { User } from '../grants/book.ts'
import type { Settings } from '../settings.ts'
import { checkPermitted, isPermitted } from '../upstream/permitted.ts'

/**
 * @returns the user with the current groups; `undefined` if the operator has removed it. Groups of an upstream server are
 *   those of the sign-in.
 */
export function currentUser(settings: Settings, user: User): User | undefined {
  if (user.facts === undefined) {
    const found = settings.users.find(({ name }) => name === user.sub)
    return found && { sub: found.name, name: found.name, groups: found.groups }
  }
  const { upstream, permitted } = settings
  if (!upstream || permitted.length === 0 || !user.sub.startsWith(upstream.prefix)) return undefined
  checkPermitted(upstream, permitted)
  return isPermitted(user, permitted) ? user : undefined
}
