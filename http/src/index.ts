/**
 * HTTP in a component: access checks, bodies within limits, responses and event streams.
 *
 * Web APIs only, so it runs in a component, in a worker and on Node.
 *
 * @module
 */
export { type AccessLists, accessVariables, createAccessLists } from './access/access-lists.ts'
export { contentTypeOk } from './access/content-type.ts'
export type { CorsHeaders } from './access/cors.ts'
export { type Forbidden, forbidden, forbiddenMessage } from './access/guard.ts'
export { type Guarded, guarded } from './access/guarded.ts'
export { addressOf } from './address.ts'
export { BodyTooLarge, discard, readText, type ReadOptions } from './body.ts'
export { type BridgeAddress, bridgeVariable } from './bridge-address.ts'
export { eventStream, jsonLines, serverSentEvents, type StreamForm } from './event-stream.ts'
export { JsonTooDeep, parseJson, type ParseOptions, tooDeep } from './json-limits.ts'
export { CLIENT_REQUEST_ID_HEADER, createRequestId } from './request-id.ts'
export { failure, json, methodNotAllowed } from './responses.ts'
export {
  ConfigurationError,
  defineSettings,
  type Parse,
  type Refuse,
  type SettingVariables,
  type VariableReader,
} from './settings.ts'
export { isArrayOf, isObject, isString } from './values.ts'
