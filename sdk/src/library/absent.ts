/**
 * In place of what schemas of a library need where there is no such library: see `imports` in package.json.
 *
 * @module
 */
import { absent } from '../absent.ts'
import type { Library } from './present.ts'

export const describeSchema: Library['describeSchema'] = absent('~standard')
export const rehearsal: Library['rehearsal'] = () => () => undefined
export const withoutHost: Library['withoutHost'] = (work) => work()
