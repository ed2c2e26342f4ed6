/** Records of workers in the shape the SDK exports. */
import { type HrTime, SpanKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api'
import type { Resource } from '@opentelemetry/resources'
import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import type { TraceContext } from '../requests/trace-context.ts'
import type { SpanRecord } from '../requests/request-spans.ts'

/** The name of the instrumentation, in OpenTelemetry's sense. */
export const SCOPE = { name: 'ftl-host' } as const

const KINDS = { internal: SpanKind.INTERNAL, client: SpanKind.CLIENT }

export function toReadableSpan(
  record: SpanRecord,
  { traceId }: TraceContext,
  { offsetMs, resource }: { offsetMs: number; resource: Resource },
): ReadableSpan {
  const { name, kind, id, parent, start, end, attributes, error, link } = record
  const context = (spanId: string) => ({ traceId, spanId, traceFlags: TraceFlags.SAMPLED })
  return {
    name,
    kind: KINDS[kind],
    spanContext: () => context(id),
    parentSpanContext: context(parent),
    startTime: toHrTime(start + offsetMs),
    endTime: toHrTime(end + offsetMs),
    duration: toHrTime(end - start),
    status:
      error === undefined
        ? { code: SpanStatusCode.UNSET }
        : { code: SpanStatusCode.ERROR, ...(error !== '' && { message: error }) },
    attributes,
    links: link
      ? [
          {
            context: {
              traceId: link.traceId,
              spanId: link.spanId,
              traceFlags: link.sampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
            },
          },
        ]
      : [],
    events: [],
    ended: true,
    resource,
    instrumentationScope: SCOPE,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  }
}

/** @param ms milliseconds, of a time or of a duration. */
export function toHrTime(ms: number): HrTime {
  const seconds = Math.floor(ms / 1000)
  return [seconds, Math.round((ms - seconds * 1000) * 1e6)]
}
