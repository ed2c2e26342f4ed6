/** The scope of a request by which a run calls: the run's caller, and not the component that sends it. */
import { addressOf, FROM_COMPONENT } from 'ftl-http'
import { requireSafeKey } from '../auth/authenticate.ts'
import { refusalOf } from '../auth/deny-list.ts'
import { authorize } from '../policy/authorize.ts'
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
  requireSafeKey(scope.settings)
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
    // Again, because both may have changed since the run has begun.
    if (refusalOf(caller, scope.settings)) {
      throw new RunError(410, 'run_ended', 'The access of the caller has been revoked.')
    }
    if (authorize(own, ofRun, caller)) {
      throw new RunError(410, 'run_ended', 'The gateway has no policy, so nothing is permitted.')
    }
  }
  return { scope: ofRun, grant, request: own }
}
