/**
 * Who may read `GET /activity`, which shows the requests of all callers and what components print, and the list of all
 * callers' jobs.
 *
 * With authentication: a caller that the policy permits to `observe`. Without: programs on this machine and the page of
 * this gateway, not through a proxy. A page of another origin may not read it in either case, whatever `allowed_origins`
 * says.
 */
import { addressOf, remoteSign } from 'ftl-http'
import { refuse } from './mcp-access.ts'
import type { Scope } from '../scope.ts'

const ACTIVITY = { kind: 'activity', component: '', name: 'activity' } as const

/** What is read, in the code and the message of a refusal. */
export interface Observed {
  code: string
  name: string
}

const THE_ACTIVITY: Observed = { code: 'activity_forbidden', name: 'the activity' }

/**
 * @returns the response to a caller who may not.
 * @throws {InsufficientScope} if only scopes are missing.
 */
export function refuseObserver(
  request: Request,
  scope: Scope,
  { code, name }: Observed = THE_ACTIVITY,
): Response | undefined {
  const problem =
    pageProblem(request) ?? (scope.caller ? rightProblem(scope) : peerProblem(request))
  return problem === undefined
    ? undefined
    : refuse(request, 403, code, problem.replaceAll('the activity', name))
}

const NO_RIGHT =
  'You may not read the activity: no rule of the policy permits the action observe. See docs/authorization.md.'

const REMEDY =
  'Read it on the machine of the gateway, at http://127.0.0.1, or configure authentication and permit the action observe to a caller.'

function rightProblem({ permissions }: Scope): string | undefined {
  if (!permissions?.mayUse(ACTIVITY, ACTIVITY.name)) return NO_RIGHT
  return permissions.decisionOn('activity', ACTIVITY.name)?.effect === 'allow'
    ? undefined
    : NO_RIGHT
}

/** A browser sends `Origin` for a page of another origin, and `Sec-Fetch-Site` with every request. */
function pageProblem(request: Request): string | undefined {
  const { headers } = request
  const origin = headers.get('origin')
  const { host } = addressOf(request)
  const isOwn = origin === null || /^https?:\/\/(.*)$/i.exec(origin)?.[1]?.toLowerCase() === host
  const site = headers.get('sec-fetch-site') ?? 'none'
  if (isOwn && (site === 'none' || site === 'same-origin')) return undefined
  return 'A page of another origin may not read the activity. Open the page of this gateway instead.'
}

function peerProblem(request: Request): string | undefined {
  const sign = remoteSign(request)
  return sign === undefined
    ? undefined
    : `Only programs on this machine may read the activity, at a name of this machine and not through a proxy; the header ${sign} says otherwise. ${REMEDY}`
}
