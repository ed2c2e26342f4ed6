/** Where questions for an approval, their answers and tokens are in a message. */
import { isString } from 'ftl-contract'

/** Key of the question and its answer; also the `_meta` key of a token. */
export const APPROVAL_KEY = 'ftl/approval'

/** Header in which a caller sends the token. */
const APPROVAL_HEADER = 'ftl-approval'

/** The tokens that the caller sends. @param meta `_meta` of the message */
export function approvalOf(
  headers: Headers,
  meta: Readonly<Record<string, unknown>>,
): string | undefined {
  const token = meta[APPROVAL_KEY]
  return isString(token) ? token : (headers.get(APPROVAL_HEADER) ?? undefined)
}
