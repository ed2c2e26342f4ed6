/** How users of this server can sign in. */
import type { Scope } from '../scope.ts'
import { checkPermitted } from '../upstream/permitted.ts'

export interface Ways {
  hasPassPhrases: boolean
  /** Name of the upstream server. */
  upstream?: string
}

/** @throws {ConfigurationError} if the upstream server could sign in no user. */
export function waysOf({ settings }: Pick<Scope, 'settings'>): Ways {
  const { upstream, permitted, users } = settings
  if (!upstream) return { hasPassPhrases: true }
  checkPermitted(upstream, permitted)
  return { hasPassPhrases: users.length > 0, upstream: upstream.label }
}
