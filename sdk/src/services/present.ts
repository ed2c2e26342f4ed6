/**
 * What a context offers of the host: a component that uses none of it is built without it (`imports` in package.json).
 *
 * @module
 */
import { callTool } from './call-tool.ts'
import { fetchFor } from './fetch.ts'
import { capabilitiesIn, traceOf } from './headers.ts'
import { storeOf } from './key-value.ts'
import { variablesOf } from './variables.ts'

export { callTool, capabilitiesIn, fetchFor, storeOf, traceOf, variablesOf }

export interface Services {
  callTool: typeof callTool
  capabilitiesIn: typeof capabilitiesIn
  fetchFor: typeof fetchFor
  storeOf: typeof storeOf
  traceOf: typeof traceOf
  variablesOf: typeof variablesOf
}
