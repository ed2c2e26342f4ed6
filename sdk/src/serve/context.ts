/**
 * From the contract's headers to a handler's context.
 *
 * @module
 */
import {
  CLIENT_CAPABILITIES_HEADER,
  DEADLINE_HEADER,
  IDEMPOTENCY_HEADER,
  PREFER_HEADER,
  PRINCIPAL_HEADER,
  REQUEST_ID_HEADER,
  RESPOND_ASYNC,
} from '../contract/headers.ts'
import type { ContextPlatform, ToolContext } from '../tool/context.ts'
import { acceptsLines } from './lines.ts'

/** @see https://www.w3.org/TR/trace-context/ */
const TRACE_HEADERS = ['traceparent', 'tracestate', 'baggage']
const DEFAULT_DEADLINE_MS = 30_000
/** One built component may stand in a manifest under several names; the address it was called by is the true one. */
const INTERNAL_HOST = /^https?:\/\/([a-z0-9-]+)\.spin\.internal(?:[/?:]|$)/

/** A context, and the clean-up of what it may have started. */
export interface OwnedContext {
  context: ToolContext
  /** Stops the deadline's timer, unless somebody keeps the context. */
  dispose: () => void
  /**
   * Keeps the context for an answer that goes on after the call has returned. The result must be called when that is
   * over: a timer still running would keep the instance alive.
   */
  keep: () => (how: 'ended' | 'early') => void
}

/** @param component the name the component was built under, for calls from outside the application. */
export function createContext(
  request: Request,
  platform: ContextPlatform,
  component: string,
): OwnedContext {
  const { headers } = request
  const deadline = positive(headers.get(DEADLINE_HEADER)) ?? DEFAULT_DEADLINE_MS
  const preferred = headers.get(PREFER_HEADER)
  const respondAsync = preferred === RESPOND_ASYNC || prefersAsync(preferred)
  let controller: AbortController | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const context: ToolContext = {
    platform,
    component: INTERNAL_HOST.exec(request.url)?.[1] ?? component,
    requestId: headers.get(REQUEST_ID_HEADER) ?? '',
    deadline,
    respondAsync,
    // Read when asked for: most tools hand nothing on.
    get trace() {
      return traceOf(headers)
    },
    get clientCapabilities() {
      return capabilities(headers.get(CLIENT_CAPABILITIES_HEADER))
    },
    get listens() {
      return acceptsLines(headers)
    },
    // Made when first asked for: most tools never look at it, and a timer costs host calls.
    get signal() {
      if (!controller) {
        const created = (controller = new AbortController())
        timer = setTimeout(
          () => created.abort(new DOMException(`no answer within ${deadline} ms`, 'TimeoutError')),
          deadline,
        )
      }
      return controller.signal
    },
  }
  const principal = headers.get(PRINCIPAL_HEADER)
  if (principal !== null) context.principal = principal
  const idempotencyKey = headers.get(IDEMPOTENCY_HEADER)
  if (idempotencyKey !== null) context.idempotencyKey = idempotencyKey
  const stop = () => clearTimeout(timer)
  let kept = false
  return {
    context,
    dispose: () => {
      if (!kept) stop()
    },
    keep: () => {
      kept = true
      return (how) => {
        stop()
        if (how === 'early')
          controller?.abort(new DOMException('the caller has gone', 'AbortError'))
      }
    },
  }
}

function traceOf(headers: Headers): Record<string, string> | undefined {
  const sent = TRACE_HEADERS.flatMap((name) => {
    const value = headers.get(name)
    return value === null ? [] : [[name, value] as const]
  })
  return sent.length > 0 ? Object.fromEntries(sent) : undefined
}

function capabilities(text: string | null): Record<string, unknown> {
  try {
    return JSON.parse(text ?? '{}') as Record<string, unknown>
  } catch {
    return {}
  }
}

function prefersAsync(preferred: string | null): boolean {
  return (preferred ?? '')
    .split(',')
    .some((preference) => preference.trim().toLowerCase() === RESPOND_ASYNC)
}

function positive(text: string | null): number | undefined {
  const value = Number(text)
  return text !== null && Number.isFinite(value) && value > 0 ? value : undefined
}
