/** Links to a job's files, as one client can follow them. */
import { isNested, isString, linkQuery, OUTPUTS_PATH, parseOutputName } from 'ftl-contract'

/** The links of owned jobs, by job: see auth/job-links.ts. */
type Links = ReadonlyMap<string, string>

/**
 * Puts `origin` in front of every relative `/outputs/…` address that is a string or a line of one, and behind it the
 * capability of an owned job, because a browser that shows the file sends no token.
 *
 * @param origin without a slash at the end, for example `http://127.0.0.1:3000`.
 */
export function withAbsoluteOutputs<T>(value: T, origin: string, links: Links): T {
  return rewrite(value, origin, links) as T
}

// Most results have no such address, so what has none is not copied: a copy of each object would be a third of the time
// it takes to serialize an answer.
function rewrite(value: unknown, origin: string, links: Links): unknown {
  if (isString(value)) return absolute(value, origin, links)
  if (!isNested(value)) return value
  let copy: Record<string, unknown> | undefined
  const from = value as Record<string, unknown>
  for (const key of Object.keys(value)) {
    const item = from[key]
    const rewritten = rewrite(item, origin, links)
    if (rewritten === item) continue
    copy ??= (Array.isArray(value) ? [...(value as unknown[])] : { ...value }) as typeof copy & {}
    copy[key] = rewritten
  }
  return copy ?? value
}

function absolute(text: string, origin: string, links: Links): string {
  if (!text.includes(OUTPUTS_PATH)) return text
  const lines = text.split('\n').map((line) => {
    const name = line.startsWith(OUTPUTS_PATH) && parseOutputName(line.slice(OUTPUTS_PATH.length))
    return name ? `${origin}${line}${linkQuery(links.get(name.jobId))}` : line
  })
  return lines.join('\n')
}
