/** Why a token is not accepted. */
import { shortText } from '../short-text.ts'

/**
 * The message is sent to the client as `error_description`, so it contains nothing of the token, no quotes and no
 * backslashes.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6750#section-3
 */
export class InvalidToken extends Error {
  override readonly name = 'InvalidToken'
  /** For the log of the operator: what the token has, what is expected, and which setting says so. */
  readonly detail: string
  constructor(message: string, detail = '') {
    super(message)
    this.detail = detail
  }
}

/** @param what the token has or is; the message begins with "The token". */
export function invalid(what: string, detail?: string): InvalidToken {
  return new InvalidToken(`The token ${what}`, detail)
}

/** A detail: `aud is "account", expected ["…"] (auth_audience)`. */
export function mismatch(
  name: string,
  value: unknown,
  setting: string,
  expected?: unknown,
): string {
  const wanted = expected === undefined ? '' : `, expected ${shown(expected)}`
  return `${name} is ${shown(value)}${wanted} (${setting})`
}

/** A claim for the log: short, and in ASCII, because the text is of a stranger. */
function shown(value: unknown): string | undefined {
  return shortText((JSON.stringify(value) ?? 'missing').replace(/[^\x20-\x7e]/g, '?'))
}
