/** What differs between two answers, in short lines. */
import { type Answer, isObject, type NormalForm } from './normal-form.ts'

/** One line each: `400 error -32600`, or `result.capabilities.tools = {}`. */
export interface Disagreement {
  ours: string
  official: string
}

/** How it ended; and only if both ended alike, each place at which the results differ. */
export function compare(ours: NormalForm, official: NormalForm): Disagreement[] {
  const ends = { ours: summary(ours), official: summary(official) }
  if (ends.ours !== ends.official) return [ends]
  return places('', ours.body, official.body)
}

/** Status, kind, code and id: `200 result`, `400 error -32600 id null`, `405 allow POST`. */
function summary({ status, allow, before, body }: NormalForm): string {
  const parts = [String(status)]
  if (allow !== undefined) parts.push(`allow ${allow}`)
  if (before)
    parts.push(`${before.map((method) => method.replace('notifications/', '')).join(', ')},`)
  if (allow !== undefined) return parts.join(' ')
  if (typeof body === 'string') parts.push(body)
  else parts.push(Array.isArray(body) ? `[${body.map(kind).join(', ')}]` : kind(body))
  return parts.join(' ')
}

function kind(answer: Answer): string {
  const id = answer.id === 1 ? '' : ` id ${JSON.stringify(answer.id).slice(0, 20)}`
  if ('error' in answer) return `error ${answer.error.code}${id}`
  const { isError, resultType = 'complete' } = (answer.result ?? {}) as Record<string, unknown>
  const type = resultType === 'complete' ? '' : ` ${shown(resultType).replaceAll('"', '')}`
  return `result${isError === true ? ' isError' : ''}${type}${id}`
}

function places(path: string, ours: unknown, official: unknown): Disagreement[] {
  if (isObject(ours) && isObject(official)) {
    const keys = new Set([...Object.keys(ours), ...Object.keys(official)])
    return [...keys].sort().flatMap((key) => {
      const below = path === '' ? key : `${path}.${key}`
      return places(below, ours[key], official[key])
    })
  }
  if (Array.isArray(ours) && Array.isArray(official)) {
    const length = Math.max(ours.length, official.length)
    return Array.from({ length }, (_, index) => index).flatMap((index) =>
      places(`${path}[${index}]`, ours[index] as unknown, official[index] as unknown),
    )
  }
  if (JSON.stringify(ours) === JSON.stringify(official)) return []
  return [{ ours: `${path} = ${shown(ours)}`, official: `${path} = ${shown(official)}` }]
}

function shown(value: unknown): string {
  return value === undefined ? 'absent' : JSON.stringify(value)
}
