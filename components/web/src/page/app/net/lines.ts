/**
 * Lines of JSON as they come, from the package that everybody else reads them with.
 *
 * @module
 */
export { type Line, readLines } from 'ftl-client/ndjson'
