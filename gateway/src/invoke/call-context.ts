/** What of a client's request goes to the component besides the arguments. */
import {
  CALL_ENVELOPE_TYPE,
  CALLER_HEADER,
  CLIENT_CAPABILITIES_HEADER,
  CLIENT_PROTOCOL_HEADER,
  IDEMPOTENCY_HEADER,
  isString,
  LOG_LEVEL_HEADER,
  type LogLevel,
  PREFER_HEADER,
  PRINCIPAL_HEADER,
  RESPOND_ASYNC,
  TASKS_HEADER,
} from 'ftl-contract'
import { escaped } from 'ftl-http'
import type { Caller } from '../caller.ts'
import type { Scope } from '../scope.ts'

/** W3C trace context as the client sent it, good or bad. */
export interface Trace {
  traceparent?: unknown
  tracestate?: unknown
  baggage?: unknown
}

/**
 * Writes down that a component is about to get a call.
 *
 * @param text the arguments as it gets them.
 * @param headers of the request with the arguments, which is sent next: the host may learn of the call by one of them.
 * @returns `undefined` if there is nothing to wait for.
 */
export type Begins = (
  component: string | undefined,
  text: string,
  headers?: Record<string, string>,
) => Promise<void> | undefined

export interface CallContext {
  /** The client's revision of MCP, one of those that are served. @default a plain caller */
  protocol?: string | undefined
  /** W3C trace context to hand on, as {@link traceOf} gives it. */
  trace?: Trace
  /** Whether the client receives progress and log lines while the call runs. @default false */
  listens?: boolean
  /** Least severe log level the client wants. @default none */
  logLevel?: LogLevel | undefined
  /** What the client can be asked for. @default nothing */
  capabilities?: Readonly<Record<string, unknown>>
  /** The same key means the same job, however often the call is sent. @default each call is its own */
  idempotencyKey?: string | null
  /** The client follows tasks. @default false */
  tasks?: boolean
  /** The client's answers to what an earlier call asked for. */
  inputResponses?: Readonly<Record<string, unknown>>
  /** The state from that earlier call. */
  requestState?: RequestState
  /** The client's request, for a run of the call. @default unknown */
  sender?: { request: Request; meta: Readonly<Record<string, unknown>> }
  /** The gateway has recorded the approval of this call. @default false */
  isApproved?: boolean
  /** Tokens by which the caller confirms calls that need an approval, comma-separated. @default none */
  approval?: string | undefined
  /** Called before anything can have changed. @default nothing is written down */
  begins?: Begins | undefined
}

/** What a client sends back of an earlier call; the gateway has sealed it. */
export interface RequestState {
  /** The component that asked: no other may have the state. */
  of: string
  /** @default the component gave none */
  text?: string | undefined
  /** Id of the approval that the earlier call had; it is valid once. @default none was needed */
  approved?: string | undefined
}

const JSON_TYPE = 'application/json'

/** Longest value handed on in a header; the W3C limit for `baggage`. */
const HEADER_LIMIT = 8192

/** Only what the contract names, so nothing a client sends can pose as it. */
export function callHeaders(scope: Scope, context: CallContext): Record<string, string> {
  const { protocol, trace, capabilities, listens, logLevel, tasks, idempotencyKey } = context
  const headers: Record<string, string> = {
    'content-type': isRepeated(context) ? CALL_ENVELOPE_TYPE : JSON_TYPE,
    accept: listens ? `${JSON_TYPE}, application/x-ndjson` : JSON_TYPE,
    [PREFER_HEADER]: RESPOND_ASYNC,
  }
  if (protocol !== undefined) headers[CLIENT_PROTOCOL_HEADER] = protocol
  put(headers, LOG_LEVEL_HEADER, logLevel)
  put(headers, PRINCIPAL_HEADER, scope.principal)
  if (scope.caller) put(headers, CALLER_HEADER, detailsOf(scope.caller))
  if (tasks) headers[TASKS_HEADER] = '1'
  put(headers, IDEMPOTENCY_HEADER, idempotencyKey)
  // Escapes keep any character of any language out of the header itself.
  if (capabilities) put(headers, CLIENT_CAPABILITIES_HEADER, asciiJson(capabilities))
  if (trace) {
    put(headers, 'traceparent', trace.traceparent)
    put(headers, 'tracestate', trace.tracestate)
    put(headers, 'baggage', trace.baggage)
  }
  return headers
}

/** Never the token, nor its id. */
function detailsOf({ scopes = [], issuer, subject: user, client }: Caller): string {
  return asciiJson({ scopes, issuer, user, client })
}

function put(headers: Record<string, string>, name: string, value: unknown): void {
  if (isHeaderValue(value)) headers[name] = value
}

/** The arguments alone, as every component expects them, or the envelope of a repeated call. */
export function callBody(context: CallContext, args: Readonly<Record<string, unknown>>): string {
  const { inputResponses, requestState } = context
  return JSON.stringify(
    isRepeated(context)
      ? { arguments: args, inputResponses, requestState: requestState?.text }
      : args,
  )
}

/** Whether the client repeats a call with answers. */
export function isRepeated({ inputResponses, requestState }: CallContext): boolean {
  return inputResponses !== undefined || requestState !== undefined
}

/** Trace context from the client's `_meta`, else from its headers. */
export function traceOf(headers: Headers, meta: Readonly<Record<string, unknown>>): Trace {
  return {
    traceparent: meta.traceparent ?? headers.get('traceparent'),
    tracestate: meta.tracestate ?? headers.get('tracestate'),
    baggage: meta.baggage ?? headers.get('baggage'),
  }
}

function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(/[^\x20-\x7e]/g, escaped)
}

// Anything but printable ASCII would throw, or end the header and begin another.
function isHeaderValue(value: unknown): value is string {
  return isString(value) && value.length <= HEADER_LIMIT && /^[\x21-\x7e][\x20-\x7e]*$/.test(value)
}
