/**
 * The host's services with a span around each use, named as in Spin.
 *
 * Keys, values and queries are not recorded: they are user data, and other people can read the traces.
 */
import type { CallTree } from './call-tree.ts'
import type { Caller, ComponentServices, Outbound } from './services.ts'
import type { KeyValueStore } from '../kv/key-value.ts'
import { VariableError } from '../variables/variable-error.ts'
import { isTraceHeader, parseTraceParent, traceHeaders } from '../requests/trace-context.ts'
import type { OpenSpan, SpanAttributes, RequestSpans } from '../requests/request-spans.ts'

/** Characters of a path that are recorded; a guest may create hundreds of request spans. */
const MAX_PATH = 1024

/** The guest that uses the services, and the request it currently works for. */
export interface Traced {
  readonly tree: CallTree | undefined
  /** Id of the guest's own span. */
  readonly span: string | undefined
}

export function tracedServices(services: ComponentServices, guest: Traced): ComponentServices {
  const measure = <T>(
    trace: RequestSpans,
    { name, attribute, value }: { name: string; attribute: string; value: string },
    work: () => T,
  ): T => ending(trace.start(name, guest.span, { attributes: { [attribute]: value } }), work)
  return {
    ...services,
    outbound: tracedOutbound(services.outbound, guest),
    variable: (name) => {
      const { tree } = guest
      const read = () => services.variable(name, tree)
      if (!tree?.trace) return read()
      const span = { name: 'spin_variables.get', attribute: 'variable.name', value: name }
      return measure(tree.trace, span, read)
    },
    log: (stream, line) => services.log(stream, line, guest.tree),
    openStore: (label) => {
      const trace = guest.tree?.trace
      if (!trace) return services.openStore(label)
      const about = { attribute: 'key_value.store', value: label }
      const open = () => services.openStore(label)
      const store = measure(trace, { name: 'spin_key_value.open', ...about }, open)
      const use = <T>(verb: string, work: () => T) =>
        measure(trace, { name: `spin_key_value.${verb}`, ...about }, work)
      return {
        get: (key) => use('get', () => store.get(key)),
        set: (key, value) => use('set', () => store.set(key, value)),
        setIf: (key, expected, value) => use('set', () => store.setIf(key, expected, value)),
        delete: (key) => use('delete', () => store.delete(key)),
        exists: (key) => use('exists', () => store.exists(key)),
        keys: () => use('get_keys', () => store.keys()),
      } satisfies KeyValueStore
    },
  }
}

function tracedOutbound(outbound: Outbound, guest: Traced): Outbound {
  return {
    withhold: (request, caller) => outbound.withhold?.(request, caller),
    send: (request, caller) => {
      const trace = guest.tree?.trace
      if (!trace) return outbound.send(request, caller)
      return sendTraced(outbound, trace, guest.span, request, caller)
    },
  }
}

async function sendTraced(
  outbound: Outbound,
  trace: RequestSpans,
  parent: string | undefined,
  request: Parameters<Outbound['send']>[0],
  caller: Caller,
): Promise<Awaited<ReturnType<Outbound['send']>>> {
  const { method, scheme, authority, path, headers } = request
  const attributes: SpanAttributes = {
    'http.request.method': method,
    'url.full': `${scheme}://${authority}${path.slice(0, MAX_PATH).replace(/\?.*$/s, '')}`,
    ...addressOf(authority),
  }
  const own = parseTraceParent(headers.find(([name]) => name === 'traceparent')?.[1])
  // A guest that forwards the header of its request names this trace; only a different trace needs a link.
  const link = own?.traceId === trace.traceId ? undefined : own
  const span = trace.start('spin_outbound_http.send_request', parent, {
    kind: 'client',
    attributes,
    link,
  })
  try {
    const response = await outbound.send(
      {
        ...request,
        headers: trace.isPropagated
          ? [
              ...headers.filter((entry) => !isTraceHeader(entry)),
              ...traceHeaders(trace.below(span)),
            ]
          : headers,
      },
      {
        depth: caller.depth,
        tree: caller.tree,
        span: span.id,
        noteEffect: () => caller.noteEffect(),
      },
    )
    attributes['http.response.status_code'] = response.status
    span.end(response.status >= 400 ? '' : undefined)
    return response
  } catch (error) {
    span.end(messageOf(error))
    throw error
  }
}

/** Ends the span when the work is done, also if it is asynchronous. */
function ending<T>(span: OpenSpan, work: () => T): T {
  let result: T
  try {
    result = work()
  } catch (error) {
    span.end(messageOf(error))
    throw error
  }
  if (result instanceof Promise) {
    result.then(
      () => span.end(),
      (error: unknown) => span.end(messageOf(error)),
    )
  } else span.end()
  return result
}

function addressOf(authority: string): SpanAttributes {
  const [, host = authority, port] = /^(.*?)(?::(\d+))?$/s.exec(authority) ?? []
  return { 'server.address': host, ...(port !== undefined && { 'server.port': Number(port) }) }
}

function messageOf(error: unknown): string | undefined {
  // Components query optional variables, so a missing one is not an error.
  if (error instanceof VariableError && error.code === 'undefined') return undefined
  return error instanceof Error ? error.message : String(error)
}
