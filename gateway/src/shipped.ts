/** The gateway as it is shipped, and parts of it for a custom one: with all features, so that none is forgotten. */
import { type App, type AppOptions, createApp } from './app.ts'
import type { ToolRepository } from './catalog/catalog.ts'
import { FEATURES } from './features.ts'
import { composed } from './hooks.ts'
import { createToolInvoker, type InvokerOptions, type ToolInvoker } from './invoke/invoker.ts'

/** Creates a gateway with all features, unless other ones are given. */
export function createGateway(options: AppOptions = {}): App {
  return createApp({ features: FEATURES, ...options })
}

/**
 * Checks the arguments against the published schema, then sends one internal request.
 *
 * @param tools any repository: a call finds only what its caller may see.
 */
export function createGuardedInvoker(tools: ToolRepository, options?: InvokerOptions): ToolInvoker {
  return createToolInvoker(composed(FEATURES).view(tools), options)
}
