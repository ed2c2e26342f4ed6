/** The span of one request from outside, and its child spans. */
import {
  type Attributes,
  createTraceState,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Tracer,
} from '@opentelemetry/api'
import type { Resource } from '@opentelemetry/resources'
import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import { epochOffsetMs, monotonicMs } from '../requests/clock.ts'
import { knownMethod, type Metrics } from './metrics.ts'
import type { RequestEntry } from '../requests/request-entry.ts'
import type { RequestFollower, RequestStart, WorkerReport } from '../requests/request-events.ts'
import { toHrTime, toReadableSpan } from './span-export.ts'
import { parseTraceParent, type TraceContext } from '../requests/trace-context.ts'

export interface ProbeOptions {
  tracer: Tracer | undefined
  metrics: Metrics | undefined
  /** Receives a finished span. */
  keep: (span: ReadableSpan) => void
  resource: Resource
}

export class Probe implements RequestFollower {
  /** Parent of all spans of the request; `undefined` without traces. */
  readonly #context: TraceContext | undefined
  readonly #options: ProbeOptions
  readonly #span: Span | undefined
  readonly #started = monotonicMs()
  /** One for the whole request, so that its spans are consistent. */
  readonly #offsetMs = epochOffsetMs()

  constructor(request: RequestStart, options: ProbeOptions) {
    this.#options = options
    if (!options.tracer) return
    this.#span = this.#begin(request, options.tracer)
    const { traceId, spanId, traceFlags, traceState } = this.#span.spanContext()
    const sampled = (traceFlags & TraceFlags.SAMPLED) !== 0
    this.#context = { traceId, spanId, sampled, state: traceState?.serialize() ?? '' }
  }

  flies(): TraceContext | undefined {
    return this.#context
  }

  end(entry: RequestEntry): void {
    this.#options.metrics?.duration(entry)
    const span = this.#span
    if (!span) return
    const { status, bytes, outcome, reason, requestId, milliseconds } = entry
    span.setAttribute('http.response.body.size', bytes)
    if (status !== 0) span.setAttribute('http.response.status_code', status)
    if (requestId !== undefined) span.setAttribute('http.request.header.x-request-id', [requestId])
    if (outcome !== 'answered') span.setAttribute('error.type', outcome)
    // A client that disconnects is not a server error.
    if (status >= 500 || outcome === 'cut') {
      span.setStatus({
        code: SpanStatusCode.ERROR,
        ...(reason !== undefined && { message: reason }),
      })
    }
    span.end(toHrTime(this.#started + milliseconds + this.#offsetMs))
  }

  report({ chain, spans, droppedSpans, losses }: WorkerReport): void {
    const { metrics, keep, resource } = this.#options
    metrics?.requests(chain)
    if (!this.#context?.sampled) return
    for (const record of spans) {
      keep(toReadableSpan(record, this.#context, { offsetMs: this.#offsetMs, resource }))
    }
    if (droppedSpans > 0) this.#span?.setAttribute('ftl.dropped_spans', droppedSpans)
    if (losses > 0) this.#span?.setAttribute('ftl.lost_workers', losses)
  }

  #begin({ method, path, route, headers, client }: RequestStart, tracer: Tracer): Span {
    const { traceparent, tracestate } = headers
    const parent = parseTraceParent(
      typeof traceparent === 'string' ? traceparent : undefined,
      typeof tracestate === 'string' ? tracestate : '',
    )
    const attributes: Attributes = {
      'http.request.method': knownMethod(method),
      'url.scheme': 'http',
      'url.path': path,
    }
    if (route !== undefined) attributes['http.route'] = route
    if (client !== undefined) attributes['client.address'] = client
    const name = route === undefined ? knownMethod(method) : `${knownMethod(method)} ${route}`
    const startTime = toHrTime(this.#started + this.#offsetMs)
    const options = { kind: SpanKind.SERVER, attributes, startTime }
    if (!parent) return tracer.startSpan(name, options, ROOT_CONTEXT)
    const { traceId, spanId, sampled, state } = parent
    return tracer.startSpan(
      name,
      options,
      trace.setSpanContext(ROOT_CONTEXT, {
        traceId,
        spanId,
        isRemote: true,
        traceFlags: sampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
        ...(state !== '' && { traceState: createTraceState(state) }),
      }),
    )
  }
}
