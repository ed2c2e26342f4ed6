/**
 * The token of a request.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6750#section-2
 */
import { addressOf } from 'ftl-http'

/** Nothing that can be used (`undefined`), a token, or a request that breaks the rules. */
export type Presented = { token: string } | { malformed: string } | undefined

const BEARER = /^bearer(?: |$)/i
const B64TOKEN = /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i

export function bearerOf(request: Request): Presented {
  const { search } = addressOf(request)
  // Addresses are logged, kept in histories and sent on as referrers.
  if (search !== '' && new URLSearchParams(search).has('access_token')) {
    return { malformed: 'A token must be sent in the header Authorization, never in the address' }
  }
  const header = request.headers.get('authorization')
  if (header === null || !BEARER.test(header)) return undefined
  const [, token] = B64TOKEN.exec(header) ?? []
  if (token === undefined)
    return { malformed: 'The header Authorization must have one bearer token' }
  return { token }
}
