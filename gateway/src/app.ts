/**
 * The gateway as one function from request to response.
 *
 * @module
 */
import type { Platform } from 'ftl-platform'
import { allowOrigin, preflight } from './access/cors.ts'
import { refusal } from './access/guard.ts'
import { healthAdapter } from './adapters/health/health-adapter.ts'
import { jobsAdapter } from './adapters/jobs/jobs-adapter.ts'
import { mcpAdapter } from './adapters/mcp/mcp-adapter.ts'
import { outputsAdapter } from './adapters/outputs/outputs-adapter.ts'
import { restAdapter } from './adapters/rest/rest-adapter.ts'
import { createToolRepository } from './catalog/repository.ts'
import type { Gateway, TransportAdapter } from './gateway.ts'
import { json } from './http.ts'
import { createToolInvoker } from './invoke/invoker.ts'
import { createOfferReader } from './invoke/offers.ts'
import { createJobReader } from './jobs/job-reader.ts'
import { createRequestId, CLIENT_REQUEST_ID_HEADER } from './request-id.ts'
import { createRouter } from './routes.ts'
import { createScope } from './scope.ts'
import { unexpectedError } from './unexpected.ts'

export interface App {
  fetch(request: Request, platform: Platform): Promise<Response>
}

export interface AppOptions {
  /** Ways in. The first is matched first. @default mcp, rest, jobs, outputs, health */
  adapters?: TransportAdapter[]
  /** Replaces a part. @default discovery over service chaining, the contract's calls, records in key-value */
  gateway?: Partial<Gateway>
}

/** Every way in that comes with the gateway. */
export const SHIPPED_ADAPTERS: TransportAdapter[] = [
  mcpAdapter,
  restAdapter,
  jobsAdapter,
  outputsAdapter,
  healthAdapter,
]

export function createApp({ adapters = SHIPPED_ADAPTERS, gateway = {} }: AppOptions = {}): App {
  const tools = gateway.tools ?? createToolRepository()
  const parts: Gateway = {
    tools,
    invoker: gateway.invoker ?? createToolInvoker(tools),
    offers: gateway.offers ?? createOfferReader(tools),
    jobs: gateway.jobs ?? createJobReader(),
  }
  const route = createRouter(adapters.flatMap((adapter) => adapter.routes(parts)))

  return {
    async fetch(request, platform) {
      const requestId = createRequestId(request, platform)
      const scope = createScope(platform, requestId, request.headers.get('x-forwarded-user'))
      let readable = false
      let response: Response
      try {
        const refused = refusal(request, scope.settings)
        readable = !refused
        if (refused) response = refused
        else if (request.method === 'OPTIONS') response = preflight(request)
        else response = await route({ request, scope, param: '' })
      } catch (error) {
        response = json(500, { error: { ...unexpectedError(scope, error), requestId } })
      }
      return withHeaders(response, (headers) => {
        headers.set(CLIENT_REQUEST_ID_HEADER, requestId)
        // Also without an origin: a cache must not give that answer to a page.
        headers.append('vary', 'Origin')
        if (readable) allowOrigin(request, headers)
      })
    },
  }
}

// A response that another component sent may have headers that cannot be changed.
function withHeaders(response: Response, change: (headers: Headers) => void): Response {
  try {
    change(response.headers)
    return response
  } catch {
    const { body, status, statusText } = response
    const headers = new Headers(response.headers)
    change(headers)
    return new Response(body, { status, statusText, headers })
  }
}
