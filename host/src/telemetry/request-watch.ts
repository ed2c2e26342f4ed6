/**
 * What is to be known of a request from outside: gathered while it goes on, told once it is over.
 *
 * @module
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { InnerCall } from '../instance/call-tree.ts'
import type { RequestEntry } from './request-entry.ts'
import type { TraceContext } from './trace-context.ts'
import type { SpanRecord } from './trace-log.ts'

/** What the workers tell of a request. */
export interface WorkerReport {
  /** Components in the order in which they were called. */
  chain: readonly string[]
  calls: readonly InnerCall[]
  spans: readonly SpanRecord[]
  /** Spans that were too many to keep. */
  droppedSpans: number
  /** How often a worker was lost under it. */
  losses: number
}

/** The head of a request from outside. */
export interface RequestStart {
  method: string
  /** Without the query. */
  path: string
  route: string | undefined
  /** Those of W3C Trace Context count. */
  headers: IncomingMessage['headers']
  /** Address of the client. */
  client: string | undefined
}

/** Whoever measures requests. */
export interface RequestTelemetry {
  begin(request: RequestStart): RequestProbe
}

export interface RequestProbe {
  /** What is done for the request lies below it; `undefined` without traces. */
  readonly context: TraceContext | undefined
  /** The client has its answer. */
  end(entry: RequestEntry): void
  /** The workers are done with it, which may come first or last. */
  report(report: WorkerReport): void
}

export interface RequestWatchOptions {
  onRequest: ((entry: RequestEntry) => void) | undefined
  telemetry: RequestTelemetry | undefined
}

/**
 * Milliseconds an answered request waits for the last word of its worker before it is told. A guest that goes on
 * after its answer should not hold the line back, and the components of an event stream should be in it.
 */
const LAST_WORD_MS = 100

const ID_LIMIT = 128

export class RequestWatch {
  readonly #options: RequestWatchOptions
  readonly #request: IncomingMessage
  readonly #path: string
  readonly #started = performance.now()
  #route: string | undefined
  #chain: readonly string[] = []
  #calls: readonly InnerCall[] = []
  #bytes = 0
  #reason: string | undefined
  #probe: RequestProbe | undefined
  /** A worker has it, and will report. */
  #flying = false
  #entry: RequestEntry | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    options: RequestWatchOptions,
  ) {
    this.#options = options
    this.#request = request
    this.#path = path
    response.once('close', () => this.#closed(response))
  }

  /** @param route as the manifest writes it. */
  routed(route: string | undefined): void {
    this.#route = route
    const { method = 'GET', headers, socket } = this.#request
    this.#probe = this.#options.telemetry?.begin({
      ...{ method, path: this.#path, route, headers, client: socket.remoteAddress },
    })
  }

  readonly sent = (bytes: number): void => {
    this.#bytes += bytes
  }

  failed(reason: string): void {
    this.#reason ??= reason
  }

  /** A worker takes it. @returns the trace it continues. */
  flies(component: string): TraceContext | undefined {
    this.#flying = true
    this.#chain = [component]
    return this.#probe?.context
  }

  /** The answer begins; these components were called until now. */
  answered(chain: readonly string[], calls: readonly InnerCall[]): void {
    this.#chain = chain
    this.#calls = calls
  }

  /** Nothing runs for it any more. */
  over(report: WorkerReport): void {
    this.#flying = false
    if (report.chain.length > 0) this.#chain = report.chain
    if (report.calls.length > 0) this.#calls = report.calls
    this.#probe?.report(report)
    if (this.#timer === undefined) return
    clearTimeout(this.#timer)
    this.#tell()
  }

  #closed(response: ServerResponse): void {
    const id = this.#request.headers['x-request-id']
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
    const { onRequest } = this.#options
    if (!this.#entry) return
    const calls = this.#calls
    const entry = { ...this.#entry, components: this.#chain, ...(calls.length > 0 && { calls }) }
    this.#entry = undefined
    this.#timer = undefined
    this.#probe?.end(entry)
    onRequest?.(entry)
  }
}
