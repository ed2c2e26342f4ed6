/**
 * ftl-sdk/openapi: tools of an HTTP API, as `ftl add openapi` makes them.
 *
 * @module
 */
export { apiTools } from './api-tools.ts'
export type { ApiToolChange, ApiToolsOptions } from './overrides.ts'
