/** `GET /results/{handle}?offset=0&limit=100000`: a page of a long result of a program, for its caller. */
import { addressOf, failure, uncached } from 'ftl-http'
import type { RouteContext } from '../routes.ts'
import { LONGEST_PAGE, OffsetBehindEnd, readPage } from './kept-result.ts'
import { NO_RESULT } from './result-page.ts'

export async function answerPage({ request, scope, param }: RouteContext): Promise<Response> {
  const query = addressOf(request).searchParams
  const offset = numberIn(query, 'offset')
  const limit = numberIn(query, 'limit')
  if (offset !== undefined && !Number.isSafeInteger(offset)) {
    return failure(400, 'invalid_request', '"offset" must be a whole number from 0.')
  }
  if (limit !== undefined && !(limit >= 1 && limit <= LONGEST_PAGE)) {
    const message = `"limit" must be a whole number from 1 to ${LONGEST_PAGE}.`
    return failure(400, 'invalid_request', message)
  }
  try {
    const page = await readPage(scope, param, offset, limit)
    return page ? uncached(page) : failure(404, 'result_not_found', NO_RESULT)
  } catch (error) {
    if (!(error instanceof OffsetBehindEnd)) throw error
    return failure(400, 'invalid_request', error.message)
  }
}

/** @returns `NaN` for what is not a whole number. */
function numberIn(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  return /^\d{1,15}$/.test(text) ? Number(text) : NaN
}
