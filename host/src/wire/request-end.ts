/** The effects and calls of a request at its end, including those of its guests in other threads. */
import type { InnerCall } from '../requests/request-entry.ts'
import { MOST_SPANS, type SpanRecord } from '../requests/request-spans.ts'

/** Inner calls recorded for one request: enough to show what it did. */
export const MAX_INNER_CALLS = 32

/** Calls whose component is recorded, in order. Bounded, because a guest may make any number of calls. */
export const MAX_CHAIN = 1000

export interface Done {
  chain: readonly string[]
  calls: readonly InnerCall[]
  /** Empty or `undefined` without a trace. */
  spans: readonly SpanRecord[] | undefined
  droppedSpans: number
}

export type WholeDone = Done & { spans: readonly SpanRecord[] }

export const NOTHING_DONE: WholeDone = { chain: [], calls: [], spans: [], droppedSpans: 0 }

/** Both, within the limits of one request. */
export function together(one: WholeDone, other: WholeDone): WholeDone {
  if (other === NOTHING_DONE) return one
  const spans = [...one.spans, ...other.spans]
  return {
    chain: [...one.chain, ...other.chain].slice(0, MAX_CHAIN),
    calls: [...one.calls, ...other.calls].slice(0, MAX_INNER_CALLS),
    spans: spans.slice(0, MOST_SPANS),
    droppedSpans: one.droppedSpans + other.droppedSpans + Math.max(0, spans.length - MOST_SPANS),
  }
}
