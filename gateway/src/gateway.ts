/**
 * The parts of the gateway and the way a transport is added to it.
 *
 * @module
 */
import type { HonoBase } from 'hono/hono-base'
import type { ToolRepository } from './catalog/catalog.ts'
import type { ToolInvoker } from './invoke/outcome.ts'
import type { JobReader } from './jobs/job-reader.ts'
import type { Scope } from './scope.ts'

/** What every transport shares. */
export interface Gateway {
  /** Which tools there are. */
  tools: ToolRepository
  /** Calling one. */
  invoker: ToolInvoker
  /** Jobs that tools have started. */
  jobs: JobReader
}

/** Types of the Hono application: `c.env.scope` is what one request may use. */
export interface GatewayEnv {
  Bindings: { scope: Scope }
}

export type GatewayApp = HonoBase<GatewayEnv>

/** One way in: a protocol on its own routes. */
export interface TransportAdapter {
  name: string
  /** Adds the routes. Runs when the component is built, so it must ask nothing of the host. */
  register(app: GatewayApp, gateway: Gateway): void
}
