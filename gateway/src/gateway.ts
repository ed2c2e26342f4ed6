/** The parts of the gateway, and the interface of its transports. */
import type { ToolRepository } from './catalog/catalog.ts'
import type { ToolInvoker } from './invoke/invoker.ts'
import type { FeatureReader } from './invoke/feature-reader.ts'
import type { JobReader } from './jobs/job-reader.ts'
import type { Route } from './routes.ts'

/** The parts that all transports share. */
export interface Gateway {
  /** The catalog of tools, prompts and resources. */
  tools: ToolRepository
  /** Calls tools. */
  invoker: ToolInvoker
  /** Gets prompts, resources and completions. */
  features: FeatureReader
  /** Jobs that tools have started. */
  jobs: JobReader
}

/** A transport: one protocol on its own routes. */
export interface TransportAdapter {
  name: string
  /** Runs when the component is built, so it must not call the host. */
  routes(gateway: Gateway): Route[]
}
