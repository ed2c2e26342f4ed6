/**
 * Calls whose lines the host words: it learns of a call by a header of the request to the component, and of its end by a header
 * of the response. The gateway says only what the host cannot know. To word and print both lines here took 0.18 ms of a call.
 *
 * The host sets `audit=host` in `call_settings` if it can do that.
 */
import { escaped } from 'ftl-http'
import type { Connection } from '../connection.ts'
import type { Scope } from '../scope.ts'
import { isPlain } from './audit-line.ts'

/**
 * Of a request to a component: the number of the call in the client's request, and what its line says. The host adds the id, the
 * time and the digest of the body.
 */
const CALL_HEADER = 'ftl-audit-call'

/** Of the gateway's response: numbers of calls that ended well. The host knows how long they took. */
const END_HEADER = 'ftl-audit-end'

/** Characters of a header; more is printed. */
const MAX_HEADER = 2000

/** The calls of one request. */
interface Reports {
  /** Calls that were reported. */
  count: number
  /** Those that ended well, as the header has them. */
  ended: string
  /** Once its response has begun, what ends is printed. */
  connection: Connection
}

const reports = new WeakMap<Connection, Reports>()

/** A call that the host knows of. */
export interface ReportedCall {
  /** In its request: the host puts its id into lines that have this instead. */
  number: string
  of: Reports
}

/**
 * Puts a call into the headers of the request with which it begins. The body is the canonical JSON of its arguments.
 *
 * @param about the members of its line, as JSON.
 * @returns `undefined` if that does not fit into the header.
 */
export function reportBegin(
  { connection }: Scope,
  headers: Record<string, string>,
  about: string,
): ReportedCall | undefined {
  let of = reports.get(connection)
  if (of === undefined) reports.set(connection, (of = { count: 0, ended: '', connection }))
  const plain = isPlain(about) ? about : about.replace(/[^\x20-\x7e]/g, escaped)
  const number = String(of.count)
  if (plain.length + number.length >= MAX_HEADER) return undefined
  of.count++
  headers[CALL_HEADER] = `${number} ${plain}`
  return { number, of }
}

/** @returns whether the response will say that the call has ended well. */
export function reportEnd({ number, of }: ReportedCall): boolean {
  if (of.connection.answered) return false
  of.ended = of.ended === '' ? number : `${of.ended},${number}`
  return true
}

/** Adds the ends of the calls that this response answers. */
export function addEnds(response: Response, { connection }: Scope): void {
  // Without looking at the settings: on Spin, that would cost requests without calls half a millisecond.
  const ended = reports.get(connection)?.ended ?? ''
  if (ended !== '') response.headers.set(END_HEADER, ended)
}
