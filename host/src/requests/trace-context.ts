/**
 * The trace a request belongs to, as defined by W3C Trace Context.
 * @see https://www.w3.org/TR/trace-context/
 */
import type { HeaderEntry } from '../http/header-rules.ts'

/** Plain data, so that it can be sent to a worker thread. */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  traceId: string
  /** Id of the parent of the spans that follow: 16 hexadecimal digits. */
  spanId: string
  /** Whether the spans are kept. The trace is propagated either way. */
  sampled: boolean
  /** `tracestate` as received; empty without one. */
  state: string
  /** Spans are recorded for `GET /activity`, whether or not they are kept; `arguments`: those of calls, too. */
  observed?: 'summary' | 'arguments'
  /** Only this host knows the trace: callees do not receive it. */
  private?: boolean
}

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/

/** Longest `tracestate` passed on; the recommendation asks for at least 512. */
const STATE_LIMIT = 4096

/** @returns `undefined` if the header is not a valid `traceparent`; then a new trace begins. */
export function parseTraceParent(
  header: string | undefined,
  state: string = '',
): TraceContext | undefined {
  const [, traceId = '', spanId = '', flags = ''] = TRACEPARENT.exec(header ?? '') ?? []
  if (/^0*$/.test(traceId) || /^0*$/.test(spanId)) return undefined
  return {
    traceId,
    spanId,
    sampled: (Number.parseInt(flags, 16) & 1) === 1,
    state: state.length > STATE_LIMIT ? '' : state,
  }
}

/** The headers that propagate the trace to a callee. */
export function traceHeaders({ traceId, spanId, sampled, state }: TraceContext): HeaderEntry[] {
  const parent: HeaderEntry = ['traceparent', `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`]
  return state === '' ? [parent] : [parent, ['tracestate', state]]
}

export const isTraceHeader = ([name]: HeaderEntry): boolean =>
  name === 'traceparent' || name === 'tracestate'
