/** `POST /auth/revoke`. @see https://www.rfc-editor.org/rfc/rfc7009 */
import { json } from 'ftl-http'
import { digestOfClient } from '../clients/used-clients.ts'
import { isSameText } from '../crypto/same-text.ts'
import { withoutFamily } from '../grants/book.ts'
import { changeBook } from '../grants/books.ts'
import type { Scope } from '../scope.ts'
import { openRefresh } from './endpoint.ts'
import { readForm } from './form.ts'
import { OAuthError, UNCACHED } from './oauth-error.ts'

/** @throws {OAuthError} */
export async function answerRevoke(scope: Scope): Promise<Response> {
  const form = await readForm(scope.request)
  const text = form.get('token')
  const clientId = form.get('client_id')
  if (text === undefined) throw new OAuthError('invalid_request', 'token is missing')
  if (clientId === undefined) throw new OAuthError('invalid_request', 'client_id is missing')
  if (text.split('.').length === 3)
    throw new OAuthError(
      'unsupported_token_type',
      'Access tokens are valid until they expire; revoke the refresh token',
    )
  const token = await openRefresh(scope, text)
  // The response does not say whether the token exists.
  if (token && isSameText(token.client, await digestOfClient(clientId))) {
    await changeBook(scope.vault, token.sub, (book) => ({
      ...(book && { book: withoutFamily(book, token.client, token.family) }),
      result: undefined,
    }))
  }
  return json(200, {}, UNCACHED)
}
