/**
 * All that it takes to tell a caller how a call is getting on: a component that tells nothing is built without it
 * (`imports` in package.json).
 *
 * @module
 */
import { acceptsLines, lineResponse } from '../serve/lines.ts'
import { answerOrNews, Listening } from './listening.ts'
import { logTo } from './log.ts'
import { Told, toStatus } from './told.ts'

export { acceptsLines, answerOrNews, lineResponse, Listening, logTo, Told, toStatus }

export interface News {
  acceptsLines: typeof acceptsLines
  answerOrNews: typeof answerOrNews
  lineResponse: typeof lineResponse
  logTo: typeof logTo
  toStatus: typeof toStatus
}
