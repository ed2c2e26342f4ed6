/** Why a token is not accepted. */

/**
 * The message is sent to the client as `error_description`, so it contains nothing of the token, no quotes and no
 * backslashes.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6750#section-3
 */
export class InvalidToken extends Error {
  override readonly name = 'InvalidToken'
}
