/** The spans of a request in a worker, as plain data: workers do not load OpenTelemetry. */
import { monotonicMs } from './clock.ts'
import type { TraceContext } from './trace-context.ts'

export type SpanAttributes = Record<string, string | number | boolean>

/** A finished span. Times are those of {@link monotonicMs}. */
export interface SpanRecord {
  name: string
  kind: 'internal' | 'client'
  id: string
  parent: string
  start: number
  end: number
  attributes: SpanAttributes
  /** The error; empty if it has no message, `undefined` on success. */
  error: string | undefined
  /** A different trace that the guest named. */
  link: TraceContext | undefined
}

export interface SpanOptions {
  kind?: SpanRecord['kind']
  attributes?: SpanAttributes
  link?: TraceContext | undefined
}

/** Spans of one request that are kept: a guest may ask for a key a million times. */
export const MOST_SPANS = 1000

export class RequestSpans {
  readonly #context: TraceContext
  readonly #spans: OpenSpan[] = []
  #dropped = 0

  constructor(context: TraceContext) {
    this.#context = context
  }

  get traceId(): string {
    return this.#context.traceId
  }

  /** What `GET /activity` wants to know of the request. */
  get observed(): TraceContext['observed'] {
    return this.#context.observed
  }

  /** Whether callees receive the trace. */
  get isPropagated(): boolean {
    return this.#context.private !== true
  }

  /** @param parent id of the parent span. @default the request's own */
  start(name: string, parent: string = this.#context.spanId, options: SpanOptions = {}): OpenSpan {
    const span = new OpenSpan(name, parent, options)
    if (!this.#context.sampled && !this.#context.observed) return span
    if (this.#spans.length < MOST_SPANS) {
      this.#spans.push(span)
      return span
    }
    this.#dropped++
    // It is not exported, so its children belong to its parent.
    span.record.id = parent
    return span
  }

  /** The context for calls made within a span. */
  below({ id }: OpenSpan): TraceContext {
    // A span that is not sampled is never exported, so it must not become a parent.
    return this.#context.sampled ? { ...this.#context, spanId: id } : this.#context
  }

  /** The context of a callee in another thread, whose spans come back to this trace. @param span of the call */
  parented(span: string | undefined): TraceContext {
    return span === undefined ? this.#context : { ...this.#context, spanId: span }
  }

  /** Returns all spans and the number of dropped ones. Spans that have not ended are marked as given up. */
  finish(): { spans: SpanRecord[]; dropped: number } {
    const spans = this.#spans.map((span) => {
      span.end('was given up')
      return span.record
    })
    return { spans, dropped: this.#dropped }
  }
}

export class OpenSpan {
  readonly record: SpanRecord

  constructor(name: string, parent: string, { kind = 'internal', attributes, link }: SpanOptions) {
    const start = monotonicMs()
    this.record = {
      name,
      kind,
      parent,
      start,
      link,
      id: randomSpanId(),
      end: 0,
      attributes: attributes ?? {},
      error: undefined,
    }
  }

  get id(): string {
    return this.record.id
  }

  /** Only the first end counts. */
  end(error?: string): void {
    if (this.record.end !== 0) return
    this.record.end = monotonicMs()
    this.record.error = error
  }
}

// Need not be unpredictable, only different from others.
function randomSpanId(): string {
  const half = () =>
    Math.floor(Math.random() * 0x1_0000_0000)
      .toString(16)
      .padStart(8, '0')
  const id = half() + half()
  return id === '0000000000000000' ? randomSpanId() : id
}
