/**
 * Calls whose lines the host words: it learns of a call by a header of the request to the component, and of its end by a header
 * of the response. To word and print both lines here took 0.18 ms of a call.
 *
 * The host sets `audit=host` in `call_settings` if it can do that.
 */
import { escaped } from 'ftl-http'
import type { Scope } from '../scope.ts'
import { isPlain } from './audit-line.ts'

/** Of a request to a component: the id of the call and what its line says. The host adds the digest of the body. */
const CALL_HEADER = 'ftl-audit-call'

/** Of the gateway's response: ids of calls that ended well, each with its milliseconds. */
const END_HEADER = 'ftl-audit-end'

/** Characters of a header; more is printed. */
const MAX_HEADER = 2000

/**
 * Puts a call into the headers of the request with which it begins. The body is the canonical JSON of its arguments.
 *
 * @param about the members of its line, as JSON.
 * @returns whether it fits into the header.
 */
export function reportBegin(headers: Record<string, string>, call: string, about: string): boolean {
  const plain = isPlain(about) ? about : about.replace(/[^\x20-\x7e]/g, escaped)
  const value = `${call} ${plain}`
  if (value.length > MAX_HEADER) return false
  headers[CALL_HEADER] = value
  return true
}

interface Ends {
  /** As the header has them. */
  ended: string[]
  /** The response has begun: what ends now is printed. */
  isLate: boolean
}

/** Of a request whose response has begun before any call. */
const LATE: Ends = { ended: [], isLate: true }

/** By the signal of a request, which all scopes of the request share. */
const ends = new WeakMap<AbortSignal, Ends>()

function endsOf({ signal }: Scope): Ends {
  let found = ends.get(signal)
  if (found === undefined) ends.set(signal, (found = { ended: [], isLate: false }))
  return found
}

/** @returns whether the response will say that the call has ended well. */
export function reportEnd(scope: Scope, call: string, ms: number): boolean {
  const { ended, isLate } = endsOf(scope)
  if (!isLate) ended.push(`${call} ${ms}`)
  return !isLate
}

/** The response, with the ends of the calls that it answers. */
export function withEnds(
  answer: Response | Promise<Response>,
  scope: Scope,
): Response | Promise<Response> {
  const add = (response: Response) => added(response, scope)
  return answer instanceof Promise ? answer.then(add) : add(answer)
}

function added(response: Response, scope: Scope): Response {
  const found = ends.get(scope.signal)
  // Without looking at the settings: on Spin, that would cost requests without calls half a millisecond.
  if (found === undefined) {
    ends.set(scope.signal, LATE)
    return response
  }
  found.isLate = true
  if (found.ended.length > 0) response.headers.set(END_HEADER, found.ended.join(','))
  return response
}
