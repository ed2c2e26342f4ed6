/** The feature that writes a line for each call and each decision, if `call_settings` says so. */
import { addressOf } from 'ftl-http'
import type { Feature, Served } from '../feature.ts'
import type { Scope } from '../scope.ts'
import { auditCall } from './audit-call.ts'
import { auditJobEnd, auditLostJob } from './audit-job.ts'
import { auditMethod, isAuditedMethod } from './audit-method.ts'
import {
  auditFailedAuthentication,
  auditForbidden,
  auditRead,
  auditRequest,
  isOwned,
} from './audit.ts'
import { withEnds } from './reported-calls.ts'

const isKept = ({ settings }: Scope) => settings.callSettings.audit

export const auditLog: Feature = {
  name: 'audit',
  handle: (request, scope, next) =>
    isOwned(addressOf(request).pathname) ? read(request, scope, next()) : withEnds(next(), scope),
  around: (client, call, next) =>
    isKept(client.scope)
      ? auditCall(client, call, (begins) => next({ ...call, begins }))
      : undefined,
  aroundMethod: (about, run) =>
    isAuditedMethod(about.method) && isKept(about.scope) ? auditMethod(about, run) : undefined,
  noted(scope, event) {
    switch (event.kind) {
      case 'job':
        return auditJobEnd(scope, event.before, event.after)
      case 'lost-job':
        return auditLostJob(scope, event.job)
      case 'unauthenticated':
        if (isKept(scope)) auditFailedAuthentication(scope, event.request, event.response)
        return
      case 'forbidden':
        if (isKept(scope)) auditForbidden(scope, event.request, event.response)
        return
      case 'observed':
        if (!isKept(scope)) return
        return auditRequest(scope, event.request, {
          action: event.action,
          outcome: event.refusal ? 'denied' : 'ok',
          status: event.refusal?.status ?? 200,
        })
    }
  },
}

/** The response to a request for a job or a file, about which the log has a line. */
async function read(request: Request, scope: Scope, answer: Served): Promise<Response> {
  const response = await answer
  if (isKept(scope)) auditRead(scope, request, response)
  return response
}
