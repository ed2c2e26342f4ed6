/**
 * A span around each tool call, and its context sent along, so that the server's spans are its children.
 *
 * Only the API of OpenTelemetry is used: without an SDK registered there is no span, no context and nothing to pay.
 * Source: OpenTelemetry semantic conventions for MCP and for generative AI; SEP-414 for `_meta`.
 */
import {
  context,
  isSpanContextValid,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { ClientError, RpcError } from './errors.ts'

/** Takes the SDK that is registered later, if one is. */
const tracer = trace.getTracer('ftl-client')

export interface CallDescription {
  /** Name of the server. */
  server: string
  tool: string
  /** Revision of the protocol. */
  revision: string | undefined
  /** Where an HTTP server is; nothing for a process. */
  url: URL | undefined
}

/** Runs a call in a span `mcp.{server}.{tool}`; `run` gets the `_meta` to send, if there is any. */
export async function traced<T extends object>(
  call: CallDescription,
  run: (meta: Record<string, string> | undefined) => Promise<T>,
): Promise<T> {
  const span = tracer.startSpan(`mcp.${call.server}.${call.tool}`, {
    kind: SpanKind.CLIENT,
    attributes: attributesOf(call),
  })
  if (!isSpanContextValid(span.spanContext())) return run(undefined)
  try {
    const inSpan = trace.setSpan(context.active(), span)
    const result = await context.with(inSpan, run, undefined, metaOf(span))
    if ('isError' in result && result.isError === true) {
      span.setAttribute('error.type', 'tool_error')
      span.setStatus({ code: SpanStatusCode.ERROR })
    }
    return result
  } catch (error) {
    recordFailure(span, error)
    throw error
  } finally {
    span.end()
  }
}

function attributesOf({ tool, revision, url }: CallDescription) {
  return {
    'mcp.method.name': 'tools/call',
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': tool,
    'network.transport': url ? 'tcp' : 'pipe',
    ...(revision !== undefined && { 'mcp.protocol.version': revision }),
    ...(url && { 'server.address': url.hostname, 'server.port': portOf(url) }),
  }
}

function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port)
  return protocol === 'https:' ? 443 : 80
}

/** W3C Trace Context, independent of the program's propagator, because MCP defines the keys of `_meta`. */
function metaOf(span: Span): Record<string, string> {
  const { traceId, spanId, traceFlags, traceState } = span.spanContext()
  const flags = traceFlags.toString(16).padStart(2, '0')
  const tracestate = traceState?.serialize()
  return { traceparent: `00-${traceId}-${spanId}-${flags}`, ...(tracestate && { tracestate }) }
}

function recordFailure(span: Span, error: unknown): void {
  const kind = error instanceof ClientError ? error.kind : 'unknown'
  if (error instanceof RpcError) {
    span.setAttribute('rpc.response.status_code', String(error.code))
    span.setAttribute('error.type', String(error.code))
  } else {
    span.setAttribute('error.type', kind)
  }
  const message = error instanceof Error ? error.message : String(error)
  span.setStatus({ code: SpanStatusCode.ERROR, message })
}
