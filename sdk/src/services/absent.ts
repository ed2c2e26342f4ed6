/**
 * In place of a context's services where no module of a component has a word for them: see `imports` in package.json.
 *
 * @module
 */
import { absent } from '../absent.ts'
import type { Services } from './present.ts'

const left = absent('kv', 'fetch', 'variables', 'callTool', 'trace', 'clientCapabilities')

export const callTool: Services['callTool'] = left
export const capabilitiesIn: Services['capabilitiesIn'] = left
export const fetchFor: Services['fetchFor'] = left
export const storeOf: Services['storeOf'] = left
export const traceOf: Services['traceOf'] = left
export const variablesOf: Services['variablesOf'] = left
