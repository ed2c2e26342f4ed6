/**
 * Bodies read within limits and answered bit by bit: `import … from 'ftl-gateway/http'`.
 *
 * @module
 */
export { BodyTooLarge, discard, readText } from './body.ts'
export { eventStream, jsonLines } from './event-stream.ts'
export { failure, json, methodNotAllowed } from './http.ts'
export { JsonTooDeep, parseJson } from './json-depth.ts'
export { isArrayOf, isObject, isString } from './values.ts'
