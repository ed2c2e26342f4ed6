/**
 * Public API for custom gateways: `import … from 'ftl-gateway/extend'`. See docs/extending.md.
 *
 * All built-in transports access tools and jobs through these interfaces.
 *
 * @module
 */
export { type App, type AppOptions, SHIPPED_ADAPTERS } from './app.ts'
export type { Feature } from './feature.ts'
export { FEATURES } from './features.ts'
export { createGateway as createApp, createGuardedInvoker as createToolInvoker } from './shipped.ts'
export type { Catalog, CatalogTool, ToolRepository } from './catalog/catalog.ts'
export { createToolRepository } from './catalog/repository.ts'
export type { Gateway, TransportAdapter } from './gateway.ts'
export { failure, json, type SettingVariables } from 'ftl-http'
export type { ToolCall, ToolInvoker } from './invoke/invoker.ts'
export type { FeatureReader } from './invoke/feature-reader.ts'
export type { CallEvents, Outcome, Settled } from './invoke/outcome.ts'
export type { JobReader } from './jobs/job-reader.ts'
export type { Handler, Route, RouteContext } from './routes.ts'
export type { Scope } from './scope.ts'
export { settingsOf } from './settings.ts'
export { serve } from './serve.ts'
