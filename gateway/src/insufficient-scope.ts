/**
 * A caller may do something only with more scopes.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization#runtime-insufficient-scope-errors
 */
export class InsufficientScope extends Error {
  override readonly name = 'InsufficientScope'
  static readonly status = 403
  static readonly code = 'insufficient_scope'
  /** All that the operation needs. */
  readonly scopes: readonly string[]
  /** Of the response. */
  readonly headers: Readonly<Record<string, string>>

  constructor(scopes: readonly string[], headers: Record<string, string>) {
    super(`This needs a token with the scopes ${scopes.join(' ')}.`)
    this.scopes = scopes
    this.headers = headers
  }
}
