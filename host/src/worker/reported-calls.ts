/**
 * Words the lines of the audit log about calls that a gateway has only reported: by a header of the request to the component, and
 * at the end by a header of its response, or a short line.
 */
import { createHash, hash } from 'node:crypto'
import { CALL_END, callOf } from '../audit/call-line.ts'
import type { HeaderEntry } from '../http/header-rules.ts'
import { HttpError } from '../http/http-error.ts'
import type { HttpResponse } from '../http/messages.ts'
import { PIPE_CAPACITY, type Pipe } from '../http/pipe.ts'
import type { CallTree } from '../instance/call-tree.ts'
import type { OutboundRequest } from '../instance/services.ts'

/** Of a request: id of the call, and the members of its line as JSON in ASCII. */
const CALL_HEADER = 'ftl-audit-call'
const CALL = /^([\w-]{1,64}) \{(".*)\}$/

/** Characters of a report; a gateway prints the line of what takes more than 2,000. */
const MAX_REPORT = 8192

/** Of a response: ids of calls that ended well, each with its milliseconds. */
const END_HEADER = 'ftl-audit-end'
const ENDED = /^([\w-]{1,64}) (\d{1,15})$/

/** Calls of one request that are remembered; a gateway takes a list of 50. */
const MAX_CALLS = 1000

export class ReportedCalls {
  readonly #write: (line: string, tree: CallTree) => void
  /** By request: the members of the line about each call, by its id. */
  readonly #begun = new WeakMap<CallTree, Map<string, string>>()

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
    const [, id, members] = CALL.exec(report) ?? []
    if (id === undefined || members === undefined) return
    let calls = this.#begun.get(tree)
    if (calls === undefined) this.#begun.set(tree, (calls = new Map<string, string>()))
    // A tool that its component has under a later path is asked for twice.
    if (calls.has(id)) return
    const about = `${members},"arguments":{"sha256":"${digestOf(body)}"}`
    // Of one that is not remembered, the host writes that its end is unknown.
    if (calls.size < MAX_CALLS) calls.set(id, about)
    this.#write(`${lineOf('begin', id)}${about}}`, tree)
  }

  /** Writes the ends that a response of the gateway reports. @returns the response without them. */
  answered(response: HttpResponse, tree: CallTree | undefined): HttpResponse {
    const ends = valuesOf(response.headers, END_HEADER)
    if (ends.length === 0) return response
    const calls = tree && this.#begun.get(tree)
    for (const end of calls ? ends.join(',').split(',') : []) {
      const [, id = '', ms = ''] = ENDED.exec(end) ?? []
      const about = calls?.get(id)
      if (tree === undefined || about === undefined) continue
      calls?.delete(id)
      this.#write(`${lineOf('call', id)}${about},"outcome":"ok","ms":${ms}}`, tree)
    }
    return { ...response, headers: without(response.headers, END_HEADER) }
  }

  /** The whole of a line that a gateway printed: of a call that it reported, it has only the end. */
  whole(line: string, tree: CallTree | undefined): string {
    const calls = tree && this.#begun.get(tree)
    const id = calls && callOf(line)
    const about = id === undefined ? undefined : calls?.get(id)
    if (id === undefined || about === undefined) return line
    calls?.delete(id)
    const mark = `"call":"${id}",`
    const at = line.indexOf(mark) + mark.length
    return `${line.slice(0, at)}${about},${line.slice(at)}`
  }
}

function lineOf(event: 'begin' | 'call', id: string): string {
  const time = timeNow()
  return event === 'call'
    ? `${CALL_END}"time":"${time}","call":"${id}",`
    : `{"audit":1,"event":"begin","time":"${time}","call":"${id}",`
}

let minute = 0
let textOfMinute = ''

/** The time as `Date` writes it, which takes seven microseconds each time. */
function timeNow(): string {
  const now = Date.now()
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
