/** The scope of a request by which a run calls: the run's caller, and not the component that sends it. */
import { addressOf, FROM_COMPONENT } from 'ftl-http'
import type { NotAdmitted } from '../feature.ts'
import { identify, narrowed, type Scope } from '../scope.ts'
import { type Grant, openGrant, RUN_HEADER } from './capability.ts'
import { RunError } from './run-error.ts'

/** A run that has been authenticated by its capability. */
export interface RunRequest {
  scope: Scope
  grant: Grant
  /** Has nothing but what the run may say: neither the program nor its component chooses a header. */
  request: Request
}

/** @throws {RunError} {ConfigurationError} */
export async function openRun(scope: Scope, request: Request): Promise<RunRequest> {
  scope.hooks.checkKey(scope)
  const grant = await openGrant(scope, request.headers.get(RUN_HEADER))
  if (!grant) {
    throw new RunError(401, 'run_invalid', `The header ${RUN_HEADER} has no capability of a run.`)
  }
  if (grant.deadline <= scope.platform.now()) {
    throw new RunError(410, 'run_ended', 'The time of the run is over.')
  }
  const { caller, only, client, deadline } = grant
  const own = new Request(addressOf(request), {
    headers: {
      ...FROM_COMPONENT,
      ...(client.agent !== undefined && { 'user-agent': client.agent }),
      ...(client.traceparent !== undefined && { traceparent: client.traceparent }),
    },
  })
  const shared: Scope = { ...scope, requestId: grant.request, until: deadline }
  const ofRun = only === undefined ? shared : narrowed(shared, only)
  if (caller) {
    identify(ofRun, caller)
    // Again, because what the caller may do may have changed since the run has begun.
    const refusal = scope.hooks.admit(ofRun, own, caller)
    if (refusal) throw new RunError(410, 'run_ended', ENDED[refusal])
  }
  return { scope: ofRun, grant, request: own }
}

const ENDED: Record<NotAdmitted, string> = {
  revoked: 'The access of the caller has been revoked.',
  no_policy: 'The gateway has no policy, so nothing is permitted.',
}
