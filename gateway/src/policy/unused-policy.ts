/** A policy without authentication: there is no caller that its rules could be about. */
import { ConfigurationError } from 'ftl-http'
import type { Scope } from '../scope.ts'

/**
 * Called where components are asked for their lists, and not in every request: a gateway without authentication must not
 * read another variable for each call, which costs half a millisecond on Spin. Without lists it is of no use, so the
 * operator learns of it at once.
 *
 * @throws {ConfigurationError}
 */
export function refuseUnusedPolicy({ caller, settings }: Pick<Scope, 'caller' | 'settings'>): void {
  if (caller !== undefined || !settings.policy) return
  throw new ConfigurationError(
    'policy',
    'needs authentication, which is not configured: every client could do everything. Set api_keys, auth_issuers or trust_forwarded_user, or remove the policy',
  )
}
