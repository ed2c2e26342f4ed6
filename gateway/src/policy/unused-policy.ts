/** A policy without authentication: there is no caller that its rules could be about. */
import { ConfigurationError } from 'ftl-http'
import type { Settings } from '../settings.ts'

/**
 * Refuses a request to a gateway without authentication if a policy is set: the operator believes that it is applied.
 *
 * Each request comes here, so it reads no further variable if the manifest says in `trust_forwarded_user` whether there
 * is a policy; one read takes half a millisecond on Spin.
 *
 * @throws {ConfigurationError}
 */
export function refuseUnusedPolicy(
  settings: Pick<Settings, 'policy'> & Partial<Pick<Settings, 'forwardedUser'>>,
): void {
  // A custom gateway may have no authentication at all.
  if (settings.forwardedUser?.hasPolicy ?? settings.policy !== undefined) throw unusedPolicy()
}

/**
 * The same where components are asked for their lists, by the policy itself: a manifest edited by hand may say otherwise
 * in `trust_forwarded_user`.
 *
 * @throws {ConfigurationError}
 */
export function refuseUnusedPolicyOf(settings: Pick<Settings, 'policy'>): void {
  if (settings.policy !== undefined) throw unusedPolicy()
}

function unusedPolicy(): ConfigurationError {
  return new ConfigurationError(
    'policy',
    'needs authentication. Set api_keys, auth_issuers or trust_forwarded_user, or remove the policy',
  )
}
