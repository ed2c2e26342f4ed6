/**
 * JSON whose text depends on the value alone: sorted keys and no spaces.
 *
 * @see https://www.rfc-editor.org/rfc/rfc8785
 */
import { isObject } from 'ftl-http'

export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value) ?? 'null'
  // By UTF-16 code units, as the RFC says, which is how strings compare here.
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`)
  return `{${members.join(',')}}`
}
