/** The gateway as it is shipped, and the parts of it that a custom one can replace. */
import { type App, type AppOptions, createApp } from './app.ts'
import { FEATURES } from './features.ts'

/** Creates a gateway with all features, unless other ones are given. */
export function createGateway(options: AppOptions = {}): App {
  return createApp({ features: FEATURES, ...options })
}
