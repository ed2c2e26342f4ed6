/** Whether one more request to the upstream server is allowed: strangers can begin sign-ins without limit. */
import { type ProblemOptions, problemPage } from '../pages/consent-page.ts'
import type { Scope } from '../scope.ts'
import { senderOf } from '../users/address.ts'
import { knownUser } from '../users/known-browser.ts'
import { countVisit, tooMany, whenAgain } from '../users/throttle.ts'

/** @returns the answer if it is not. */
export async function refusedVisit(
  scope: Scope,
  options?: ProblemOptions,
): Promise<Response | undefined> {
  const { vault, platform, request } = scope
  const attempt = await countVisit(vault, platform.now(), {
    known: await knownUser(scope),
    address: senderOf(request.headers),
  })
  if (attempt.isAllowed) return undefined
  const problem = `There were too many sign-ins. ${whenAgain(attempt)}`
  return problemPage(problem, { ...options, ...tooMany(attempt) })
}
