/**
 * Words the lines of the audit log about calls that a gateway has only reported: by a header of the request to the component, and
 * at the end by a header of its response, or a short line.
 */
import { createHash, hash, randomUUID } from 'node:crypto'
import { CALL_END, callOf } from '../audit/call-line.ts'
import type { HeaderEntry } from '../http/header-rules.ts'
import { HttpError } from '../http/http-error.ts'
import type { HttpResponse } from '../http/messages.ts'
import { PIPE_CAPACITY, type Pipe } from '../http/pipe.ts'
import type { CallTree } from '../instance/call-tree.ts'
import type { OutboundRequest } from '../instance/services.ts'

/** Of a request: the number of the call in the client's request, and the members of its line as JSON in ASCII. */
const CALL_HEADER = 'ftl-audit-call'
const CALL = /^(\d{1,9}) \{(".*)\}$/

/** Characters of a report. A gateway prints the line of a call whose report takes more than 2,000. */
const MAX_REPORT = 8192

/** Of a response: numbers of calls that ended well. */
const END_HEADER = 'ftl-audit-end'

/** Calls of one request that are remembered; a gateway takes a list of 50. */
const MAX_CALLS = 1000

/** A call that has begun. */
interface Begun {
  id: string
  /** Members of both of its lines. */
  about: string
  /** Milliseconds since the epoch. */
  at: number
}

export class ReportedCalls {
  readonly #write: (line: string, tree: CallTree) => void
  /** By request: its calls, by their numbers. */
  readonly #begun = new WeakMap<CallTree, Map<string, Begun>>()

  /** @param write takes a whole line. */
  constructor(write: (line: string, tree: CallTree) => void) {
    this.#write = write
  }

  /**
   * Writes the beginning of the call that a request of the gateway reports.
   *
   * @returns the request as the component receives it.
   * @throws {HttpError} if it ends before its body is there.
   */
  begins(
    request: OutboundRequest,
    tree: CallTree | undefined,
  ): OutboundRequest | Promise<OutboundRequest> {
    const [sent] = valuesOf(request.headers, CALL_HEADER)
    if (sent === undefined) return request
    if (sent.length > MAX_REPORT) throw new HttpError('HTTP-request-header-size')
    const begin = () => {
      if (tree) this.#begin(sent, request.body, tree)
      return { ...request, headers: without(request.headers, CALL_HEADER) }
    }
    // Mostly it is written before the request is sent.
    return request.body.ended ? begin() : ended(request).then(begin)
  }

  #begin(report: string, body: Pipe, tree: CallTree): void {
    const [, number, members] = CALL.exec(report) ?? []
    if (number === undefined || members === undefined) return
    let calls = this.#begun.get(tree)
    if (calls === undefined) this.#begun.set(tree, (calls = new Map<string, Begun>()))
    // The gateway asks twice for a tool that its component serves at its second path.
    if (calls.has(number)) return
    const at = Date.now()
    const id = randomUUID()
    const about = `${members},"arguments":{"sha256":"${digestOf(body)}"}`
    // Of one that is not remembered, the host writes that its end is unknown.
    if (calls.size < MAX_CALLS) calls.set(number, { id, about, at })
    this.#write(`${lineOf('begin', id, at)}${about}}`, tree)
  }

  /** Writes the ends that a response of the gateway reports. @returns the response without them. */
  answered(response: HttpResponse, tree: CallTree | undefined): HttpResponse {
    const ends = valuesOf(response.headers, END_HEADER)
    if (ends.length === 0) return response
    const calls = tree && this.#begun.get(tree)
    const now = Date.now()
    for (const number of calls ? ends.join(',').split(',') : []) {
      const call = calls?.get(number)
      if (tree === undefined || call === undefined) continue
      calls?.delete(number)
      const { id, about, at } = call
      const ms = Math.max(now - at, 0)
      this.#write(`${lineOf('call', id, now)}${about},"outcome":"ok","ms":${ms}}`, tree)
    }
    return { ...response, headers: without(response.headers, END_HEADER) }
  }

  /** The whole of a line that a gateway printed: of a call that it reported, it has only the number and the end. */
  whole(line: string, tree: CallTree | undefined): string {
    const calls = tree && this.#begun.get(tree)
    const number = calls && callOf(line)
    const call = number === undefined ? undefined : calls?.get(number)
    if (number === undefined || call === undefined) return line
    calls?.delete(number)
    const mark = `"call":"${number}",`
    const at = line.indexOf(mark)
    return `${line.slice(0, at)}"call":"${call.id}",${call.about},${line.slice(at + mark.length)}`
  }
}

function lineOf(event: 'begin' | 'call', id: string, at: number): string {
  const time = timeOf(at)
  return event === 'call'
    ? `${CALL_END}"time":"${time}","call":"${id}",`
    : `{"audit":1,"event":"begin","time":"${time}","call":"${id}",`
}

let minute = 0
let textOfMinute = ''

/** A time as `Date` writes it, which takes seven microseconds each time. @param now milliseconds since the epoch. */
function timeOf(now: number): string {
  const since = now - minute
  if (since < 0 || since >= 60_000) {
    minute = now - (now % 60_000)
    textOfMinute = new Date(minute).toISOString().slice(0, 17)
  }
  const left = String(now - minute).padStart(5, '0')
  return `${textOfMinute}${left.slice(0, 2)}.${left.slice(2)}Z`
}

/** SHA-256 of what is in a pipe, and stays there. */
function digestOf(body: Pipe): string {
  const chunks = body.peek()
  const [only = new Uint8Array()] = chunks
  if (chunks.length < 2) return hash('sha256', only)
  const sum = createHash('sha256')
  for (const chunk of chunks) sum.update(chunk)
  return sum.digest('hex')
}

/** Resolves when the whole body is there. @throws {HttpError} */
function ended({ body, signal }: OutboundRequest): Promise<void> {
  const broken = () =>
    signal.aborted || body.cancelled || body.failure !== undefined || body.queued >= PIPE_CAPACITY
  return new Promise((resolve, reject) => {
    let stop = () => {}
    const look = () => {
      stop()
      if (body.ended) resolve()
      else if (broken()) reject(new HttpError('connection-terminated'))
      else stop = body.onReady(look)
    }
    signal.addEventListener('abort', look, { once: true })
    look()
  })
}

function valuesOf(headers: readonly HeaderEntry[], wanted: string): string[] {
  return headers.filter(([name]) => name === wanted).map(([, value]) => value)
}

function without(headers: readonly HeaderEntry[], unwanted: string): HeaderEntry[] {
  return headers.filter(([name]) => name !== unwanted)
}
