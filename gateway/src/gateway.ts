/**
 * The parts of the gateway and the way a transport is added to it.
 *
 * @module
 */
import type { ToolRepository } from './catalog/catalog.ts'
import type { ToolInvoker } from './invoke/invoker.ts'
import type { OfferReader } from './invoke/offers.ts'
import type { JobReader } from './jobs/job-reader.ts'
import type { Route } from './routes.ts'

/** What every transport shares. */
export interface Gateway {
  /** What there is. */
  tools: ToolRepository
  /** Calling a tool. */
  invoker: ToolInvoker
  /** Prompts, resources, completions. */
  offers: OfferReader
  /** Jobs that tools have started. */
  jobs: JobReader
}

/** One way in: a protocol on its own routes. */
export interface TransportAdapter {
  name: string
  /** Runs when the component is built, so it must ask nothing of the host. */
  routes(gateway: Gateway): Route[]
}
