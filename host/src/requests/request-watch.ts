/** Follows a request from outside while it runs, and tells its sinks. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HeaderEntry } from '../http/header-rules.ts'
import type { RequestHead } from '../http/messages.ts'
import type { TraceContext } from './trace-context.ts'
import type { InnerCall, RequestEntry } from './request-entry.ts'
import type { RequestFollower, RequestSink, WorkerReport } from './request-events.ts'
import { ID_HEADER } from './request-id.ts'

/**
 * Milliseconds an answered request waits for the report of its worker before it is logged. The wait is short, because
 * a guest that keeps running must not delay the log line; it is needed, because the line should name the components
 * that an event stream called.
 */
const LAST_WORD_MS = 100

const ID_LIMIT = 128

export class RequestWatch {
  readonly #sinks: readonly RequestSink[]
  readonly #followers: RequestFollower[] = []
  readonly #request: IncomingMessage
  readonly #path: string
  readonly #started = performance.now()
  #route: string | undefined
  #chain: readonly string[] = []
  #calls: readonly InnerCall[] = []
  #bytes = 0
  #reason: string | undefined
  /** Whether a worker runs the request, and will report. */
  #flying = false
  #entry: RequestEntry | undefined
  #timer: NodeJS.Timeout | undefined

  /** @param sinks in the order in which they get an event */
  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    sinks: readonly RequestSink[],
  ) {
    this.#sinks = sinks
    this.#request = request
    this.#path = path
    response.once('close', () => this.#closed(response))
  }

  /** @param route as written in the manifest. */
  routed(route: string | undefined): void {
    this.#route = route
    const { method = 'GET', headers, socket } = this.#request
    const start = { method, path: this.#path, route, headers, client: socket.remoteAddress }
    for (const sink of this.#sinks) {
      const follower = sink.begin?.(start)
      if (follower) this.#followers.push(follower)
    }
  }

  /** See {@link RequestFollower.enters}. */
  enters(
    component: string,
    head: RequestHead,
    principal: string | undefined,
  ): readonly HeaderEntry[] {
    let { headers } = head
    for (const follower of this.#followers) {
      headers = follower.enters?.(component, { ...head, headers }, principal) ?? headers
    }
    return headers
  }

  /** Records that a worker runs the request. @returns the trace it continues. */
  flies(component: string): TraceContext | undefined {
    this.#flying = true
    this.#chain = [component]
    let context: TraceContext | undefined
    for (const follower of this.#followers) {
      if (follower.flies) context = follower.flies(component, context)
    }
    return context
  }

  /** See {@link RequestFollower.body}. */
  body(bytes: Uint8Array): void {
    for (const follower of this.#followers) follower.body?.(bytes)
  }

  /** See {@link RequestFollower.line}. */
  line(component: string, stream: 'stdout' | 'stderr' | 'host', line: string): void {
    for (const follower of this.#followers) follower.line?.(component, stream, line)
  }

  /** See {@link RequestFollower.gatewayLine}. */
  gatewayLine(line: string): void {
    for (const follower of this.#followers) follower.gatewayLine?.(line)
  }

  /** Records the components that were called until the response begins. */
  called(chain: readonly string[], calls: readonly InnerCall[]): void {
    this.#chain = chain
    this.#calls = calls
  }

  /** See {@link RequestFollower.answered}. */
  answered(principal: string | undefined, headers: readonly HeaderEntry[]): void {
    for (const follower of this.#followers) follower.answered?.(principal, headers)
  }

  readonly sent = (bytes: number): void => {
    this.#bytes += bytes
  }

  /** See {@link RequestFollower.failed}. */
  failed(error: unknown): void {
    this.#reason ??= error instanceof Error ? error.message : String(error)
    for (const follower of this.#followers) follower.failed?.(error)
  }

  /** Records that nothing runs for the request any more. */
  over(report: WorkerReport): void {
    this.#flying = false
    if (report.chain.length > 0) this.#chain = report.chain
    if (report.calls.length > 0) this.#calls = report.calls
    for (const follower of this.#followers) follower.report?.(report)
    if (this.#timer === undefined) return
    clearTimeout(this.#timer)
    this.#tell()
  }

  #closed(response: ServerResponse): void {
    const id = this.#request.headers[ID_HEADER]
    this.#entry = {
      method: this.#request.method ?? 'GET',
      path: this.#path,
      route: this.#route,
      components: [],
      status: response.headersSent ? response.statusCode : 0,
      milliseconds: performance.now() - this.#started,
      bytes: this.#bytes,
      outcome: response.writableFinished ? 'answered' : this.#reason === undefined ? 'left' : 'cut',
      reason: this.#reason,
      requestId: typeof id === 'string' ? id.slice(0, ID_LIMIT) : undefined,
    }
    if (this.#flying) this.#timer = setTimeout(() => this.#tell(), LAST_WORD_MS).unref()
    else this.#tell()
  }

  #tell(): void {
    const entry = this.#entry
    if (!entry) return
    entry.components = this.#chain
    if (this.#calls.length > 0) entry.calls = this.#calls
    this.#entry = undefined
    this.#timer = undefined
    for (const follower of this.#followers) follower.end?.(entry)
    for (const sink of this.#sinks) sink.ended?.(entry)
  }
}
