/** `POST /run/result`: keeps the result of a program that is too long for one answer. */
import { addressOf, BodyTooLarge, readText } from 'ftl-http'
import { keepResult, LONGEST_PAGE, RESULT_LIMIT } from './kept-result.ts'
import { StoreFull } from '../store-failure.ts'
import { invalid } from './read-call.ts'
import { RunError } from './run-error.ts'
import type { RunRequest } from './run-scope.ts'

/** @throws {RunError} */
export async function keepInRun(
  { scope, grant }: RunRequest,
  request: Request,
): Promise<{ handle: string; expiresAt: string }> {
  const page = Number(addressOf(request).searchParams.get('page'))
  if (!Number.isSafeInteger(page) || page < 1 || page > LONGEST_PAGE) {
    throw invalid(`"page" must be a whole number from 1 to ${LONGEST_PAGE}`)
  }
  let text: string
  try {
    text = await readText(request, { limit: RESULT_LIMIT })
  } catch (error) {
    if (!(error instanceof BodyTooLarge)) throw error
    throw new RunError(413, 'body_too_large', `The result has ${error.message}.`)
  }
  try {
    return { handle: grant.run, expiresAt: await keepResult(scope, grant.run, text, page) }
  } catch (error) {
    if (!(error instanceof StoreFull)) throw error
    throw new RunError(503, 'too_many_results', error.message)
  }
}
