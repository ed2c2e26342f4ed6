/** Reads JSON lines as they arrive, with the reader that the client package exports. */
export { type Line, readLines } from 'ftl-client/ndjson'
