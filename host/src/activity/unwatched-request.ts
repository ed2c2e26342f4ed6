/** A request that nothing watches, while it runs: it is counted, and listed when it has ended. */
import type { HeaderEntry } from '../http/header-rules.ts'
import type { RequestEntry } from '../requests/request-entry.ts'
import type { RequestFollower, RequestStart, WorkerReport } from '../requests/request-events.ts'
import { createRequestId, ID_HEADER, sentId } from '../requests/request-id.ts'
import type { TraceContext } from '../requests/trace-context.ts'
import type { PastRequest } from './past-request.ts'
import { MAX_AGENT, MAX_METHOD, MAX_PATH, MAX_TEXT } from './request-facts.ts'

/** What is done with what is known at its end. */
export interface PastRequests {
  counted(request: UnwatchedRequest, report: WorkerReport): void
  ended(request: UnwatchedRequest, entry: RequestEntry): void
  /** @returns `undefined` if it is not listed. */
  take(request: UnwatchedRequest): PastRequest | undefined
  listed(past: PastRequest): void
  chainOf(called: readonly string[]): readonly string[]
}

const NONE: readonly string[] = []

export class UnwatchedRequest implements RequestFollower {
  readonly start: RequestStart
  readonly time = Date.now()
  readonly #sink: PastRequests
  #id: string | undefined
  #components = NONE
  #principal: string | undefined
  #retries = 0
  #past: PastRequest | undefined
  #use = -1

  constructor(start: RequestStart, sink: PastRequests) {
    this.start = start
    this.#sink = sink
  }

  get id(): string {
    return (this.#id ??= createRequestId(this.start.headers))
  }

  /** A component prints nothing that is kept. */
  get lastReport(): undefined {
    return undefined
  }

  flies(component: string, context: TraceContext | undefined): TraceContext | undefined {
    this.#components = this.#sink.chainOf([component])
    return context
  }

  answered(principal: string | undefined, headers: readonly HeaderEntry[]): void {
    this.#principal ??= principal?.slice(0, MAX_TEXT)
    // The gateway has made one.
    const id = headers.find(([name]) => name === ID_HEADER)?.[1]
    if (id !== undefined && id.length <= MAX_TEXT) this.#id = id
  }

  report(report: WorkerReport): void {
    if (report.chain.length > 0) this.#components = this.#sink.chainOf(report.chain)
    this.#retries = report.losses
    this.#sink.counted(this, report)
    const past = this.#past
    // Meanwhile the ring may have dropped it, and another request has its place.
    if (past?.use !== this.#use) return
    past.components = this.#components
    past.retries = this.#retries
    this.#sink.listed(past)
  }

  end(entry: RequestEntry): void {
    this.#sink.ended(this, entry)
    const past = this.#sink.take(this)
    if (!past) return
    this.#past = past
    this.#use = past.use
    const { method, path, headers } = this.start
    const agent = headers['user-agent']
    // Most requests are like the one before: the text that is there already is kept, and the new one is garbage.
    if (past.method !== method) past.method = method.slice(0, MAX_METHOD)
    if (past.path !== path) past.path = path.slice(0, MAX_PATH)
    if (past.agent !== agent) past.agent = agent?.slice(0, MAX_AGENT)
    past.sentId = this.#id ?? sentId(headers)
    past.time = this.time
    past.components =
      entry.components.length > 0 ? this.#sink.chainOf(entry.components) : this.#components
    past.outcome = entry.outcome
    past.status = entry.status
    past.milliseconds = entry.milliseconds
    past.bytes = entry.bytes
    past.reason = entry.reason
    past.principal = this.#principal
    past.retries = this.#retries
    this.#sink.listed(past)
  }
}
