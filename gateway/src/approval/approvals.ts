/** The feature that asks a person before a call for which the policy says `ask`. */
import type { Feature } from '../feature.ts'
import { callWithApproval } from './approve.ts'

export const approvals: Feature = {
  name: 'approvals',
  send(scope, tool, call, next) {
    const effect = scope.permissions?.decisionOn('tool', call.name)?.effect
    if (effect !== 'ask' || call.context.isApproved) return undefined
    // A run that waits for the approval of one of its calls was approved itself.
    return scope.hooks
      .continues(scope, tool, call)
      .then((continues) => (continues ? next(call) : callWithApproval(scope, tool, call, next)))
  },
}
