/** Links to a job's files, as one client can follow them. */
import { OUTPUTS_PATH, parseOutputName } from 'ftl-contract'
import { isString } from 'ftl-http'

/**
 * Puts `origin` in front of every string that is a relative `/outputs/…` address.
 *
 * @param origin without a slash at the end, for example `http://127.0.0.1:3000`.
 */
export function withAbsoluteOutputs<T>(value: T, origin: string): T {
  return rewrite(value, origin) as T
}

// Most results have no such address, so what has none is not copied: a copy of each object would be a third of the time
// it takes to serialize an answer.
function rewrite(value: unknown, origin: string): unknown {
  if (isString(value)) return isOutput(value) ? `${origin}${value}` : value
  if (typeof value !== 'object' || value === null) return value
  let copy: Record<string, unknown> | undefined
  const from = value as Record<string, unknown>
  for (const key of Object.keys(value)) {
    const item = from[key]
    const rewritten = rewrite(item, origin)
    if (rewritten === item) continue
    copy ??= (Array.isArray(value) ? [...(value as unknown[])] : { ...value }) as typeof copy & {}
    copy[key] = rewritten
  }
  return copy ?? value
}

function isOutput(text: string): boolean {
  return (
    text.startsWith(OUTPUTS_PATH) && parseOutputName(text.slice(OUTPUTS_PATH.length)) !== undefined
  )
}
