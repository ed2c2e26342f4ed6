/** Creates the gateway: one function from request to response. */
import type { Platform } from 'ftl-platform'
import {
  addressOf,
  createRequestId,
  failure,
  type Guarded,
  guarded,
  json,
  type SettingsOf,
} from 'ftl-http'
import { MCP_HEADERS, refuse } from './access/mcp-access.ts'
import { healthAdapter } from './adapters/health/health-adapter.ts'
import { jobsAdapter } from './adapters/jobs/jobs-adapter.ts'
import { mcpAdapter } from './adapters/mcp/mcp-adapter.ts'
import { outputsAdapter } from './adapters/outputs/outputs-adapter.ts'
import { restAdapter } from './adapters/rest/rest-adapter.ts'
import { createToolRepository } from './catalog/repository.ts'
import type { Feature, Hooks, Served } from './feature.ts'
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

  /** A request. A class, because as many functions would cost a component more than to read the request. */
  class Visit implements Guarded {
    readonly request: Request
    readonly requestId: string
    readonly lists: Settings
    readonly #platform: Platform
    /** Of a request that no feature has refused. */
    #routed: Scope | undefined

    constructor(request: Request, platform: Platform) {
      this.request = request
      this.requestId = createRequestId(request, platform)
      this.lists = createSettings(platform.variables)
      this.#platform = platform
    }

    get cors() {
      return MCP_HEADERS
    }

    isPublic(pathname: string): boolean {
      return hooks.isPublic(pathname)
    }

    refuse(status: number, message: string): Response {
      return refuse(this.request, status, status === 421 ? 'misdirected' : 'forbidden', message)
    }

    answer(): Served {
      const { request } = this
      const isOpen = hooks.isOpen(addressOf(request).pathname)
      const options = { settings: this.lists, hooks, isOpen }
      const scope = createScope(this.#platform, this.requestId, options)
      return hooks.handle(request, scope, () => {
        this.#routed = scope
        return route({ request, scope, param: '' })
      })
    }

    answered(response: Response): void {
      if (!this.#routed) return
      this.#routed.connection.answered = true
      hooks.answered(this.request, this.#routed, response)
    }

    failed(error: unknown): Response {
      return error instanceof InsufficientScope
        ? failure(InsufficientScope.status, InsufficientScope.code, error.message, error.headers)
        : failed(this.requestId, error)
    }
  }

  return {
    settings: createSettings,
    hooks,
    // Not `async`: a promise around the promise of `guarded` would cost three turns of the queue in each request.
    fetch: (request, platform) => guarded(new Visit(request, platform)),
  }
}
