/** Errors of endpoints that programs call. @see https://www.rfc-editor.org/rfc/rfc6749#section-5.2 */
import { json } from 'ftl-http'

export class OAuthError extends Error {
  override readonly name = 'OAuthError'
  readonly code: string
  readonly status: number
  constructor(code: string, message: string, status = 400) {
    super(message)
    this.code = code
    this.status = status
  }
}

export const UNCACHED = { 'cache-control': 'no-store', pragma: 'no-cache' }

export function oauthFailure({ code, message, status }: OAuthError): Response {
  return json(status, { error: code, error_description: message }, UNCACHED)
}
