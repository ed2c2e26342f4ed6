/** The feature that writes a line for each call and each decision, if `call_settings` says so. */
import { addressOf } from 'ftl-http'
import type { Feature } from '../feature.ts'
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
import { addEnds } from './reported-calls.ts'

const isKept = ({ settings }: Scope) => settings.callSettings.audit

export const auditLog: Feature = {
  name: 'audit',
  answered(request, scope, response) {
    if (isOwned(addressOf(request).pathname)) {
      if (isKept(scope)) auditRead(scope, request, response)
    } else addEnds(response, scope)
  },
  around: (client, call, next) =>
    isKept(client.scope)
      ? auditCall(client, call, (begins) => next({ ...call, begins }))
      : undefined,
  aroundMethod: (client, call, run) =>
    isAuditedMethod(call.method) && isKept(client.scope)
      ? auditMethod(client, call, run)
      : undefined,
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
