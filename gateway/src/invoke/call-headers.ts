/**
 * The headers of an internal request: only what the contract names, so nothing a client sends can pose as it.
 *
 * @module
 */
import { DEADLINE_HEADER, PREFER_HEADER, REQUEST_ID_HEADER, RESPOND_ASYNC } from 'ftl-sdk/contract'
import type { Scope } from '../scope.ts'

const TRACE_KEYS = ['traceparent', 'tracestate', 'baggage'] as const

/** Longest trace value handed on; the W3C limit for `baggage`. */
const TRACE_LIMIT = 8192

export interface CallHeaderOptions {
  /** Milliseconds the gateway will wait. */
  deadlineMs: number
  trace?: Readonly<Record<string, unknown>>
}

export function callHeaders(
  scope: Scope,
  { deadlineMs, trace = {} }: CallHeaderOptions,
): Record<string, string> {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: 'application/json, application/x-ndjson',
    [REQUEST_ID_HEADER]: scope.platform.randomUUID(),
    [DEADLINE_HEADER]: String(deadlineMs),
    [PREFER_HEADER]: RESPOND_ASYNC,
  }
  for (const key of TRACE_KEYS) {
    const value = trace[key]
    if (isHeaderValue(value)) headers[key] = value
  }
  return headers
}

/** Trace context from the client's `_meta`, else from its headers. */
export function traceOf(
  headers: Headers,
  meta: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  return Object.fromEntries(TRACE_KEYS.map((key) => [key, meta[key] ?? headers.get(key)]))
}

// Anything but printable ASCII would throw, or end the header and begin another.
function isHeaderValue(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.length <= TRACE_LIMIT &&
    /^[\x21-\x7e][\x20-\x7e]*$/.test(value)
  )
}
