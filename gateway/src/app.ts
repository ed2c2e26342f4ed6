/**
 * The gateway as one function from request to response.
 *
 * @module
 */
import type { Platform } from 'ftl-platform'
import { HonoBase } from 'hono/hono-base'
import { LinearRouter } from 'hono/router/linear-router'
import { allowLocalOrigin, preflight } from './access/cors.ts'
import { healthAdapter } from './adapters/health/health-adapter.ts'
import { jobsAdapter } from './adapters/jobs/jobs-adapter.ts'
import { mcpAdapter } from './adapters/mcp/mcp-adapter.ts'
import { outputsAdapter } from './adapters/outputs/outputs-adapter.ts'
import { createToolRepository } from './catalog/repository.ts'
import { ConfigurationError } from './settings.ts'
import type { Gateway, GatewayEnv, TransportAdapter } from './gateway.ts'
import { describeError } from './describe-error.ts'
import { failure } from './http.ts'
import { createToolInvoker } from './invoke/invoker.ts'
import { createJobReader } from './jobs/job-reader.ts'
import { createScope } from './scope.ts'

export interface App {
  fetch(request: Request, platform: Platform): Promise<Response>
}

export interface AppOptions {
  /** Ways in. The first is matched first. @default mcp, jobs, outputs, health */
  adapters?: TransportAdapter[]
  /** Replaces a part. @default discovery over service chaining, the contract's calls, records in key-value */
  gateway?: Partial<Gateway>
}

const ADAPTERS = [mcpAdapter, jobsAdapter, outputsAdapter, healthAdapter]

export function createApp({ adapters = ADAPTERS, gateway = {} }: AppOptions = {}): App {
  const tools = gateway.tools ?? createToolRepository()
  const parts: Gateway = {
    tools,
    invoker: gateway.invoker ?? createToolInvoker(tools),
    jobs: gateway.jobs ?? createJobReader(),
  }
  // Other routers build their tables at the first match, which in a component is every request.
  const app = new HonoBase<GatewayEnv>({ router: new LinearRouter() })
  for (const adapter of adapters) adapter.register(app, parts)
  app.notFound((c) =>
    failure(404, 'not_found', `There is nothing at ${c.req.path}. MCP is at POST /mcp.`),
  )
  app.onError((error) => unexpected(error))

  return {
    async fetch(request, platform) {
      // Checks of who may ask at all (Origin, Host, tokens) belong here, before any adapter.
      if (request.method === 'OPTIONS') return preflight(request)
      const response = await app.fetch(request, { scope: createScope(platform) })
      return allowLocalOrigin(request, response)
    },
  }
}

function unexpected(error: unknown): Response {
  if (error instanceof ConfigurationError) return failure(500, 'configuration', error.message)
  // The log keeps what the client must not see.
  console.error('request failed:', describeError(error))
  return failure(500, 'internal', 'The gateway failed; its log says why.')
}
