/** Binds the policy to the caller of a request. */
import { refuse } from '../access/mcp-access.ts'
import type { Caller } from '../caller.ts'
import type { Scope } from '../scope.ts'
import { CallerPermissions } from './caller-permissions.ts'

/**
 * Puts what the caller may do into the scope, before any other part has it.
 *
 * @returns the response to every caller of a gateway without a policy.
 * @throws {ConfigurationError}
 */
export function authorize(request: Request, scope: Scope, caller: Caller): Response | undefined {
  const { settings } = scope
  const { policy } = settings
  if (!policy) {
    const message =
      'No policy: nothing is permitted. Set the variable policy of the gateway, for example to signed-in, which permits everything.'
    return refuse(request, 403, 'no_policy', message)
  }
  // Everything is permitted, so nothing needs to be looked at.
  if (policy.signedIn) return undefined
  const permissions = new CallerPermissions(policy, caller, (scopes) =>
    scope.hooks.challenge(request, scope, scopes),
  )
  Object.assign(scope, { permissions })
  return undefined
}
