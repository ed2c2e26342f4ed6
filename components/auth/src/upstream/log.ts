import type { UpstreamProblem } from './identity.ts'

/** Tells the operator what the page does not say. */
export function logged(problem: UpstreamProblem): UpstreamProblem {
  if (problem.detail !== undefined)
    console.error(`a sign-in at auth_upstream failed: ${problem.detail}`)
  return problem
}
