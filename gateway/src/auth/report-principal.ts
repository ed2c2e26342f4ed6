/** What the gateway reports to its host, which takes it out of the response. */
import type { Scope } from '../scope.ts'

/** The host counts several tokens of one caller together. */
const PRINCIPAL_HEADER = 'ftl-authenticated'

/** Names the caller, except one who only has a link: it does not say who the owner is. */
export function reported(response: Response, { caller }: Scope): Response {
  if (caller && !caller.byLink) response.headers.set(PRINCIPAL_HEADER, caller.principal)
  return response
}
