/** Creates the gateway: one function from request to response. */
import type { Platform } from 'ftl-platform'
import { createRequestId, failure, guarded, json, type SettingsOf } from 'ftl-http'
import { MCP_HEADERS, refuse } from './access/mcp-access.ts'
import { healthAdapter } from './adapters/health/health-adapter.ts'
import { jobsAdapter } from './adapters/jobs/jobs-adapter.ts'
import { mcpAdapter } from './adapters/mcp/mcp-adapter.ts'
import { outputsAdapter } from './adapters/outputs/outputs-adapter.ts'
import { restAdapter } from './adapters/rest/rest-adapter.ts'
import { createToolRepository } from './catalog/repository.ts'
import type { Feature, Hooks } from './feature.ts'
import type { Gateway, TransportAdapter } from './gateway.ts'
import { composed } from './hooks.ts'
import { createToolInvoker } from './invoke/invoker.ts'
import { createFeatureReader } from './invoke/feature-reader.ts'
import { createJobReader } from './jobs/job-reader.ts'
import { unexpectedError } from './log.ts'
import { InsufficientScope } from './insufficient-scope.ts'
import { createRouter } from './routes.ts'
import { createScope, type Scope } from './scope.ts'
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
  /** Transports, matched in this order, before those of features. @default mcp, rest, jobs, outputs, health */
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
]

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
  const tools = hooks.view(gateway.tools ?? createToolRepository())
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
      // Of a request that no feature has refused.
      let routed: Scope | undefined
      return guarded({
        request,
        requestId,
        lists: settings,
        cors: MCP_HEADERS,
        isPublic: hooks.isPublic,
        refuse: (status, message) =>
          refuse(request, status, status === 421 ? 'misdirected' : 'forbidden', message),
        answer() {
          const scope = createScope(platform, requestId, { settings, hooks })
          return hooks.handle(request, scope, () => {
            routed = scope
            return route({ request, scope, param: '' })
          })
        },
        answered(response) {
          if (routed) hooks.answered(request, routed, response)
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
