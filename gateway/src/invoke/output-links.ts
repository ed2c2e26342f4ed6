/**
 * Links to a job's files, as one client can follow them.
 *
 * @module
 */
import { OUTPUTS_PATH, parseOutputName } from 'ftl-sdk/contract'
import { isString } from '../values.ts'

/**
 * Puts `origin` in front of every string that is a relative `/outputs/…` address.
 *
 * @param origin without a slash at the end, for example `http://127.0.0.1:3000`.
 */
export function withAbsoluteOutputs<T>(value: T, origin: string): T {
  return rewrite(value, origin) as T
}

function rewrite(value: unknown, origin: string): unknown {
  if (isString(value)) return isOutput(value) ? `${origin}${value}` : value
  if (Array.isArray(value)) return value.map((item) => rewrite(item, origin))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, rewrite(item, origin)]),
  )
}

function isOutput(text: string): boolean {
  return (
    text.startsWith(OUTPUTS_PATH) && parseOutputName(text.slice(OUTPUTS_PATH.length)) !== undefined
  )
}
