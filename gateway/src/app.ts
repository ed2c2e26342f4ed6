/** Creates the gateway: one function from request to response. */
import type { Platform } from 'ftl-platform'
import { addressOf, createRequestId, failure, guarded, json, type SettingsOf } from 'ftl-http'
import { MCP_HEADERS, refuse } from './access/mcp-access.ts'
import { activityAdapter } from './adapters/activity/activity-adapter.ts'
import { healthAdapter } from './adapters/health/health-adapter.ts'
import { jobsAdapter } from './adapters/jobs/jobs-adapter.ts'
import { mcpAdapter } from './adapters/mcp/mcp-adapter.ts'
import { outputsAdapter } from './adapters/outputs/outputs-adapter.ts'
import { restAdapter } from './adapters/rest/rest-adapter.ts'
import { auditFailedAuthentication, auditForbidden, auditRead, isOwned } from './audit/audit.ts'
import { withEnds } from './audit/reported-calls.ts'
import { authenticate, needsCaller } from './auth/authenticate.ts'
import { privateAnswer } from './auth/private-answer.ts'
import { reported } from './auth/reported.ts'
import { resourceMetadata } from './auth/resource-metadata.ts'
import { createToolRepository } from './catalog/repository.ts'
import { composed, type Feature, type Hooks } from './feature.ts'
import type { Gateway, TransportAdapter } from './gateway.ts'
import { createToolInvoker } from './invoke/invoker.ts'
import { createFeatureReader } from './invoke/features.ts'
import { createJobReader } from './jobs/job-reader.ts'
import { unexpectedError } from './log.ts'
import { authorize } from './policy/authorize.ts'
import { InsufficientScope } from './policy/insufficient-scope.ts'
import { PermittedRepository } from './policy/permitted-repository.ts'
import { createRouter } from './routes.ts'
import { createScope, identify, type Scope } from './scope.ts'
import { type Settings, settingsWith } from './settings.ts'

/** A gateway, which answers requests. */
export interface App {
  readonly settings: SettingsOf<Settings>
  readonly hooks: Hooks
  fetch(request: Request, platform: Platform): Promise<Response>
}

/** The parts of a custom gateway; each omitted part is the built-in one. */
export interface AppOptions {
  /** What the gateway can do besides; see features.ts for the order. @default none */
  features?: readonly Feature[]
  /** Transports, matched in this order, before those of features. @default mcp, rest, jobs, outputs, health, activity */
  adapters?: TransportAdapter[]
  /** Replaces a part. @default discovery over service chaining, the contract's calls, records in key-value */
  gateway?: Partial<Gateway>
}

/** All built-in transports. */
export const SHIPPED_ADAPTERS: TransportAdapter[] = [
  mcpAdapter,
  restAdapter,
  jobsAdapter,
  outputsAdapter,
  healthAdapter,
  activityAdapter,
]

/** The response to a request for a job or a file, about which the audit log has a line. */
async function noted(
  request: Request,
  scope: Scope,
  answer: Response | Promise<Response>,
): Promise<Response> {
  const response = await answer
  if (scope.settings.callSettings.audit) auditRead(scope, request, response)
  return response
}

function failed(requestId: string, thrown: unknown): Response {
  const { status, error } = unexpectedError({ requestId }, thrown)
  const { retryAfterSeconds: seconds } = error
  const body = { error: { ...error, requestId } }
  return seconds === undefined
    ? json(status, body)
    : json(status, body, { 'retry-after': String(seconds) })
}

/** Creates a gateway with these features. It does not call the host before the first request. */
export function createApp({
  features = [],
  adapters = SHIPPED_ADAPTERS,
  gateway = {},
}: AppOptions = {}): App {
  const hooks = composed(features)
  const createSettings = settingsWith(features)
  const tools = PermittedRepository.of(gateway.tools ?? createToolRepository())
  const parts: Gateway = {
    tools,
    invoker: gateway.invoker ?? createToolInvoker(tools),
    features: gateway.features ?? createFeatureReader(tools),
    jobs: gateway.jobs ?? createJobReader(),
  }
  const all = [...adapters, ...features.flatMap((feature) => feature.adapters ?? [])]
  const route = createRouter(all.flatMap((adapter) => adapter.routes(parts)))

  return {
    settings: createSettings,
    hooks,
    // Not `async`: a promise around the promise of `guarded` would cost three turns of the queue in each request.
    fetch(request, platform) {
      const requestId = createRequestId(request, platform)
      const settings = createSettings(platform.variables)
      return guarded({
        request,
        requestId,
        lists: settings,
        cors: MCP_HEADERS,
        refuse: (status, message) =>
          refuse(request, status, status === 421 ? 'misdirected' : 'forbidden', message),
        answer() {
          const scope = createScope(platform, requestId, { settings, hooks })
          const serve = () => {
            const response = route({ request, scope, param: '' })
            if (isOwned(addressOf(request).pathname)) return noted(request, scope, response)
            return withEnds(response, scope)
          }
          if (!needsCaller(request, settings, hooks))
            return resourceMetadata(request, settings) ?? serve()
          return authenticate(request, scope).then(async (caller) => {
            if (caller instanceof Response) {
              if (settings.callSettings.audit) auditFailedAuthentication(scope, request, caller)
              return privateAnswer(caller, settings)
            }
            identify(scope, caller)
            const forbidden = authorize(request, scope, caller)
            if (forbidden && settings.callSettings.audit) auditForbidden(scope, request, forbidden)
            return privateAnswer(reported(forbidden ?? (await serve()), scope), settings)
          })
        },
        failed: (error) =>
          error instanceof InsufficientScope
            ? failure(
                InsufficientScope.status,
                InsufficientScope.code,
                error.message,
                error.headers,
              )
            : failed(requestId, error),
      })
    },
  }
}
