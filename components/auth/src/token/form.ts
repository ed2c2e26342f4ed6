/** The body of a form. */
import { BodyTooLarge, readText } from 'ftl-http'
import { OAuthError } from './oauth-error.ts'

const LIMIT = 64 * 1024
const MOST = 50

/** @throws {OAuthError} */
export async function readForm(request: Request): Promise<Map<string, string>> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type))
    throw new OAuthError(
      'invalid_request',
      'content-type must be application/x-www-form-urlencoded',
    )
  try {
    return parametersOf(new URLSearchParams(await readText(request, { limit: LIMIT })))
  } catch (error) {
    if (error instanceof BodyTooLarge)
      throw new OAuthError('invalid_request', `The body must have at most ${LIMIT} bytes`, 413)
    throw error
  }
}

/** @throws {OAuthError} if one is there twice: two programs could read two different values. */
export function parametersOf(search: URLSearchParams): Map<string, string> {
  const all = [...search]
  if (all.length > MOST) throw new OAuthError('invalid_request', 'There are too many parameters')
  const found = new Map<string, string>()
  for (const [name, value] of all) {
    // Not more than one resource is supported, so none is left out without a word.
    if (found.has(name))
      throw new OAuthError('invalid_request', `The parameter ${name.slice(0, 40)} is there twice`)
    // https://www.rfc-editor.org/rfc/rfc6749#section-3.1
    if (value !== '') found.set(name, value)
  }
  return found
}
