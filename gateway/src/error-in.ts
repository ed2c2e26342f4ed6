/** The error in a component's answer. */
import { isObject, isString } from 'ftl-contract'

/** @param body `{"error":{"message":"…"}}`; anything else has no error. */
export function errorIn(
  body: unknown,
): (Record<string, unknown> & { message: string }) | undefined {
  const error = isObject(body) ? body.error : undefined
  return isObject(error) && isString(error.message)
    ? (error as typeof error & { message: string })
    : undefined
}
