/**
 * What of a client's request goes to the component besides the arguments.
 *
 * @module
 */
import {
  CALL_ENVELOPE_TYPE,
  CLIENT_CAPABILITIES_HEADER,
  IDEMPOTENCY_HEADER,
  LOG_LEVEL_HEADER,
  type LogLevel,
  PREFER_HEADER,
  PRINCIPAL_HEADER,
  RESPOND_ASYNC,
  TASKS_HEADER,
} from 'ftl-sdk/contract'
import type { Scope } from '../scope.ts'
import { isString } from '../values.ts'

export interface CallContext {
  /** W3C trace context to hand on, as {@link traceOf} gives it. */
  trace?: Readonly<Record<string, unknown>>
  /** Somebody is shown progress and log lines while the call runs. @default false */
  listens?: boolean
  /** Least severe log level the client wants. @default none */
  logLevel?: LogLevel
  /** What the client can be asked for. @default nothing */
  capabilities?: Readonly<Record<string, unknown>>
  /** The same key means the same job, however often the call is sent. @default each call is its own */
  idempotencyKey?: string | null
  /** The client follows tasks. @default false */
  tasks?: boolean
  /** The client's answers to what an earlier call asked for. */
  inputResponses?: Readonly<Record<string, unknown>>
  /** The component's own state from that earlier call. */
  requestState?: string
}

const JSON_TYPE = 'application/json'
const TRACE_KEYS = ['traceparent', 'tracestate', 'baggage'] as const

/** Longest value handed on in a header; the W3C limit for `baggage`. */
const HEADER_LIMIT = 8192

/** Only what the contract names, so nothing a client sends can pose as it. */
export function callHeaders(scope: Scope, context: CallContext): Record<string, string> {
  const { trace, capabilities, listens, logLevel, tasks, idempotencyKey } = context
  const headers: Record<string, string> = {
    'content-type': isRepeated(context) ? CALL_ENVELOPE_TYPE : JSON_TYPE,
    accept: listens ? `${JSON_TYPE}, application/x-ndjson` : JSON_TYPE,
    [PREFER_HEADER]: RESPOND_ASYNC,
  }
  const given: Record<string, unknown> = {
    [LOG_LEVEL_HEADER]: logLevel,
    [PRINCIPAL_HEADER]: scope.principal,
    [TASKS_HEADER]: tasks ? '1' : undefined,
    [IDEMPOTENCY_HEADER]: idempotencyKey,
    // Escapes keep any character of any language out of the header itself.
    [CLIENT_CAPABILITIES_HEADER]: capabilities && asciiJson(capabilities),
    ...trace,
  }
  for (const [name, value] of Object.entries(given)) {
    if (isHeaderValue(value)) headers[name] = value
  }
  return headers
}

/** The arguments alone, as every component expects them, or the envelope of a repeated call. */
export function callBody(context: CallContext, args: Readonly<Record<string, unknown>>): string {
  const { inputResponses, requestState } = context
  return JSON.stringify(
    isRepeated(context) ? { arguments: args, inputResponses, requestState } : args,
  )
}

/** Whether the client repeats a call with answers. */
export function isRepeated({ inputResponses, requestState }: CallContext): boolean {
  return inputResponses !== undefined || requestState !== undefined
}

/** Trace context from the client's `_meta`, else from its headers. */
export function traceOf(
  headers: Headers,
  meta: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(TRACE_KEYS.map((key) => [key, meta[key] ?? headers.get(key)]))
}

function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

// Anything but printable ASCII would throw, or end the header and begin another.
function isHeaderValue(value: unknown): value is string {
  return isString(value) && value.length <= HEADER_LIMIT && /^[\x21-\x7e][\x20-\x7e]*$/.test(value)
}
