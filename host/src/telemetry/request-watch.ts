/** Collects data about a request from outside while it runs, and reports it at its end. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HeaderEntry } from '../http/header-rules.ts'
import type { InnerCall, RequestEntry } from './request-entry.ts'
import type { TraceContext } from './trace-context.ts'
import type { SpanRecord } from './trace-log.ts'

/** What the workers report about a request. */
export interface WorkerReport {
  /** Components in the order in which they were called. */
  chain: readonly string[]
  calls: readonly InnerCall[]
  spans: readonly SpanRecord[]
  /** Spans dropped because there were too many. */
  droppedSpans: number
  /** How often a worker was lost while it ran the request. */
  losses: number
}

/** The head of a request from outside. */
export interface RequestStart {
  method: string
  /** Without the query. */
  path: string
  route: string | undefined
  /** Only those of W3C Trace Context are used. */
  headers: IncomingMessage['headers']
  /** Address of the client. */
  client: string | undefined
}

/** Creates a probe for each request that is measured. */
export interface RequestTelemetry {
  begin(request: RequestStart): RequestProbe
}

export interface RequestProbe {
  /** Parent of all spans of the request; `undefined` without traces. */
  readonly context: TraceContext | undefined
  /** Called when the response has ended. */
  end(entry: RequestEntry): void
  /** Called when the workers have finished the request, before or after `end`. */
  report(report: WorkerReport): void
}

/** Follows a request for `GET /activity`. */
export interface RequestObserver extends Omit<RequestProbe, 'context'> {
  /** Of the request, for its components and its response. */
  readonly id: string
  /** A worker runs it. @param context of telemetry. @returns the context for the worker */
  observe(component: string, context: TraceContext | undefined): TraceContext | undefined
  /** Its body, if that arrived whole. */
  body(bytes: Uint8Array): void
  /** Something was printed for it; `host`: the host reports it. */
  line(component: string, stream: 'stdout' | 'stderr' | 'host', line: string): void
  /** The gateway reports about it. @param line of the form of the audit log */
  gatewayLine(line: string): void
  /** Whether its spans and lines are recorded. */
  readonly watched: boolean
  /** The answer begins. @param principal the caller, as the gateway reports it */
  answered(principal: string | undefined, headers: readonly HeaderEntry[]): void
}

export interface RequestWatchOptions {
  onRequest: ((entry: RequestEntry) => void) | undefined
  telemetry: RequestTelemetry | undefined
  /** @default nothing is recorded */
  activity?: { begin(request: RequestStart): RequestObserver } | undefined
}

/**
 * Milliseconds an answered request waits for the report of its worker before it is logged. The wait is short, because
 * a guest that keeps running must not delay the log line; it is needed, because the line should name the components
 * that an event stream called.
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
  #observer: RequestObserver | undefined
  /** Whether a worker runs the request, and will report. */
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

  /** @param route as written in the manifest. */
  routed(route: string | undefined): void {
    this.#route = route
    const { method = 'GET', headers, socket } = this.#request
    const start = { method, path: this.#path, route, headers, client: socket.remoteAddress }
    this.#probe = this.#options.telemetry?.begin(start)
    this.#observer = this.#options.activity?.begin(start)
  }

  /** Follows the request for `GET /activity`; `undefined` if nothing does. */
  get observer(): RequestObserver | undefined {
    return this.#observer
  }

  readonly sent = (bytes: number): void => {
    this.#bytes += bytes
  }

  failed(reason: string): void {
    this.#reason ??= reason
  }

  /** Records that a worker runs the request. @returns the trace it continues. */
  flies(component: string): TraceContext | undefined {
    this.#flying = true
    this.#chain = [component]
    const context = this.#probe?.context
    return this.#observer ? this.#observer.observe(component, context) : context
  }

  /** Records that the response begins, and the components called so far. */
  answered(chain: readonly string[], calls: readonly InnerCall[]): void {
    this.#chain = chain
    this.#calls = calls
  }

  /** Records that nothing runs for the request any more. */
  over(report: WorkerReport): void {
    this.#flying = false
    if (report.chain.length > 0) this.#chain = report.chain
    if (report.calls.length > 0) this.#calls = report.calls
    this.#probe?.report(report)
    this.#observer?.report(report)
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
    const entry = this.#entry
    if (!entry) return
    entry.components = this.#chain
    if (this.#calls.length > 0) entry.calls = this.#calls
    this.#entry = undefined
    this.#timer = undefined
    this.#probe?.end(entry)
    this.#observer?.end(entry)
    onRequest?.(entry)
  }
}
