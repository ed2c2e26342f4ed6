/** The feature that applies the policy to the caller of a request. */
import type { Feature } from '../feature.ts'
import { authorize } from './authorize.ts'
import { PermittedRepository } from './permitted-repository.ts'
import { rehearsePolicy } from './rehearsal.ts'
import { refuseUnusedPolicy, refuseUnusedPolicyOf } from './unused-policy.ts'
import { policyVariables } from './policy-settings.ts'

export const authorization: Feature = {
  name: 'authorization',
  settings: policyVariables,
  rehearse: rehearsePolicy,
  handle(request, scope, next) {
    const { caller, hooks, settings } = scope
    if (!caller) {
      if (!scope.isOpen) refuseUnusedPolicy(settings)
      return next()
    }
    const response = authorize(request, scope, caller)
    if (!response) return next()
    hooks.noted(scope, { kind: 'forbidden', request, response })
    return response
  },
  admit: (scope, request, caller) => (authorize(request, scope, caller) ? 'no_policy' : undefined),
  needsGroups: ({ settings }) => settings.policy?.rules.some(({ groups }) => groups) ?? false,
  view: (tools) => PermittedRepository.of(tools),
  send({ permissions }, _, { name }) {
    if (!permissions) return undefined
    const effect = permissions.decisionOn('tool', name)?.effect
    // What nothing has decided as a tool must not run as one.
    return effect === 'allow' || effect === 'ask' ? undefined : Promise.resolve({ kind: 'unknown' })
  },
  beforeDiscovery({ caller, settings }) {
    if (caller === undefined) refuseUnusedPolicyOf(settings)
  },
}
