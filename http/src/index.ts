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
export { type Forbidden, forbidden, forbiddenMessage } from './access/host-and-origin.ts'
export { type Guarded, guarded } from './access/guarded.ts'
export {
  FROM_COMPONENT,
  isFromComponent,
  isFromOutside,
  isLoopback,
  ownAddress,
  remoteSign,
} from './access/sender.ts'
export { addressOf, urlIn } from './address.ts'
export { BodyTooLarge, discard, readSoon, readText, type ReadOptions } from './body.ts'
export { readLines, readPieces, type StreamLimits } from './body-stream.ts'
export { type BridgeAddress, bridgeVariable } from './bridge-address.ts'
export {
  type Deadline,
  DeadlineExceeded,
  type Leaving,
  leavingBy,
  startDeadline,
  withDeadline,
} from './deadline.ts'
export { escaped, fromBase64, fromUrlSafe, sha256, toBase64, urlSafe, utf8 } from './encoding.ts'
export {
  acceptedForm,
  acceptsEvents,
  eventStream,
  jsonLines,
  type StreamForm,
} from './event-stream.ts'
export { fetchUntilResponse, type Network } from './fetch-until-response.ts'
export { jsonIn, JsonTooDeep, parseJson, type ParseOptions, tooDeep } from './json-limits.ts'
export { CLIENT_REQUEST_ID_HEADER, createRequestId } from './request-id.ts'
export { failure, json, methodNotAllowed, uncached } from './responses.ts'
export { ROUNDED, roundedNumber } from './rounded-number.ts'
export {
  ConfigurationError,
  defineSettings,
  type Parse,
  type Refuse,
  type SettingsOf,
  type SettingVariables,
  type VariableReader,
} from './settings.ts'
