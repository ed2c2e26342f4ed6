/** Lines of the audit log that are not about calls of tools. */
import { isoTime } from '../iso-time.ts'
import { addressOf, isFromComponent } from 'ftl-http'
import type { Platform } from 'ftl-platform'
import type { Scope } from '../scope.ts'
import { type AuditEntry, auditLine, clientOf, traceIdOf } from './audit-line.ts'
import { shortText } from '../short-text.ts'

/** To standard output, which has nothing else: the host takes lines of this form from a gateway alone. */
export function write(entry: AuditEntry): void {
  console.log(auditLine(entry))
}

type Decided = Pick<AuditEntry, 'outcome'> & Partial<AuditEntry>

export const timeOf = (platform: Platform) => isoTime(platform.now())

/** Who sent a request, and how. */
export function senderOf(
  { requestId, principal, caller }: Scope,
  request: Request,
  meta: Readonly<Record<string, unknown>>,
): Partial<AuditEntry> {
  const { pathname } = addressOf(request)
  return {
    request: requestId,
    trace: traceIdOf(meta.traceparent ?? request.headers.get('traceparent')),
    principal,
    name: caller?.name,
    client: clientOf(request, meta, caller),
    ...(isFromComponent(request) && { internal: true }),
    face: pathname.startsWith('/mcp') ? 'mcp' : 'http',
  }
}

/** A line about a request that is not a call of a tool. */
export function auditRequest(scope: Scope, request: Request, decided: Decided): void {
  write({
    event: 'decision',
    time: timeOf(scope.platform),
    ...senderOf(scope, request, {}),
    ...decided,
    target: shortText(decided.target),
    reason: shortText(decided.reason),
  })
}

/** A request without a caller: why, and never with what. */
export function auditFailedAuthentication(
  scope: Scope,
  request: Request,
  response: Response,
): void {
  const { method, headers } = request
  const [, said] =
    /error_description="([^"]*)"/.exec(response.headers.get('www-authenticate') ?? '') ?? []
  const reason =
    said ?? (headers.has('authorization') ? 'The credentials are not accepted' : 'No credentials')
  auditRequest(scope, request, {
    event: 'authentication',
    action: `${method} ${shortText(addressOf(request).pathname) ?? '/'}`,
    outcome: 'unauthenticated',
    reason,
    status: response.status,
  })
}

/** The gateway has no policy, so the authenticated caller may do nothing. */
export function auditForbidden(scope: Scope, request: Request, { status }: Response): void {
  auditRequest(scope, request, {
    action: `${request.method} ${addressOf(request).pathname}`,
    outcome: 'denied',
    reason: 'The gateway has no policy.',
    status,
  })
}

const READS = /^\/(jobs|outputs|results)\/([^/]+)(\/events)?$/

/** Whether what a path names belongs to a caller. */
export function isOwned(pathname: string): boolean {
  return READS.test(pathname)
}

/** A job or a file was asked for by HTTP. */
export function auditRead(scope: Scope, request: Request, { status }: Response): void {
  const [, kind = '', target = '', events = ''] = READS.exec(addressOf(request).pathname) ?? []
  auditRequest(scope, request, {
    action: `${request.method} /${kind}${events}`,
    target,
    outcome: status === 404 ? 'not_found' : status < 400 ? 'ok' : 'refused',
    status,
  })
}
