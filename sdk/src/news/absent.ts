/**
 * In place of the lines of a call where no module of a component has a word for telling: see `imports` in package.json. A
 * generator is then run to its end.
 *
 * @module
 */
import { absent } from '../absent.ts'
import type { News } from './present.ts'

const left = absent('progress', 'log')

export const acceptsLines: News['acceptsLines'] = () => false
export const answerOrNews: News['answerOrNews'] = left
export const lineResponse: News['lineResponse'] = left
export const logTo: News['logTo'] = left
export const toStatus: News['toStatus'] = left
export class Told {}
export class Listening {}
