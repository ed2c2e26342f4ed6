/**
 * Marks responses that depend on their caller, so that no cache gives them to another one.
 *
 * A shared cache does not store responses to requests with `Authorization` by itself, but it knows nothing of the headers
 * by which a proxy names users, and a component may have called its file `public`.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9111#section-3
 */
import type { Settings } from '../settings.ts'

/** The response of a gateway that authenticates its callers. */
export function privateAnswer(
  response: Response,
  { forwardedUser }: Pick<Settings, 'forwardedUser'>,
): Response {
  const { headers } = response
  headers.append('vary', 'Authorization')
  if (forwardedUser.trust !== 'false') {
    headers.append('vary', 'X-Forwarded-User, X-Forwarded-User-Secret')
  }
  headers.set('cache-control', privately(headers.get('cache-control')))
  return response
}

/** Directives that let shared caches store a response, and `private`, which is set in any case. */
const SHARED = /^(public|private|s-maxage(=.*)?)$/i

function privately(directives: string | null): string {
  if (directives === 'no-store') return directives
  // A quoted list of fields could contain commas, and no response of ours has one.
  if (directives === null || directives.includes('"')) return 'private, no-store'
  const kept = directives
    .split(',')
    .map((directive) => directive.trim())
    .filter((directive) => directive !== '' && !SHARED.test(directive))
  return ['private', ...(kept.length > 0 ? kept : ['no-store'])].join(', ')
}
