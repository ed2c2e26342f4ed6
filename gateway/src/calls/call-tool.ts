/**
 * The recipe of a tool call, for every transport: which part of the gateway answers it, and what of the client's
 * request the component receives. A transport reads the call from its own format and maps the outcome back.
 */
import { IDEMPOTENCY_HEADER, type LogLevel } from 'ftl-contract'
import { approvalOf } from '../invoke/approval-key.ts'
import type { Catalog } from '../catalog/catalog.ts'
import { RESERVED_TOOLS } from '../catalog/names.ts'
import { type Begins, type CallContext, traceOf } from '../invoke/call-context.ts'
import type { ToolCall } from '../invoke/invoker.ts'
import type { Outcome } from '../invoke/outcome.ts'
import type { ClientRequest } from './client-request.ts'
import { callJobTool } from './job-tools.ts'

/** A tool call as a transport has read it. */
export interface ClientCall extends Pick<ToolCall, 'name' | 'refuse'> {
  args: Record<string, unknown>
  /** `_meta` of the message; its trace context is preferred to that of the headers. */
  meta: Readonly<Record<string, unknown>>
  /** Whether the client receives progress while the call runs. */
  wantsProgress: boolean
  /** Least severe log level that the client receives. @default no log lines */
  logLevel?: LogLevel | undefined
  /** The client's revision of MCP. @default a plain caller */
  protocol?: CallContext['protocol']
  /** Index in a list of calls. It makes the idempotency key unique, so that each call starts its own job. */
  place?: number | undefined
  /** Whether the client follows tasks. @default false */
  tasks?: boolean
  /** What the client can be asked for. @default nothing */
  capabilities?: CallContext['capabilities']
  /** The client's answers, if it repeats a call. */
  answers?: Pick<CallContext, 'inputResponses' | 'requestState'>
  /** The gateway itself has recorded the approval of this call. @default false */
  approved?: boolean
  /** Set where the audit log is kept. */
  begins?: Begins
  /** What is known of the tools, if the sender has read it. @default it is read */
  catalog?: Catalog | undefined
}

// Not `async`: each promise costs a call as much as reading a header.
export function callTool(client: ClientRequest, call: ClientCall): Promise<Outcome> {
  return client.scope.hooks.around(client, call, (passed) =>
    RESERVED_TOOLS.has(passed.name) ? callReserved(client, passed) : invoke(client, passed),
  )
}

async function callReserved(client: ClientRequest, call: ClientCall): Promise<Outcome> {
  const own = client.scope.hooks.ownTool(client, call)
  return (await (own ?? callJobTool(client, call))) ?? invoke(client, call)
}

function invoke({ gateway, scope, request }: ClientRequest, call: ClientCall): Promise<Outcome> {
  const { name, args, meta, wantsProgress, logLevel, place, tasks, capabilities, answers } = call
  const { protocol, approved } = call
  const { headers } = request
  const key = headers.get(IDEMPOTENCY_HEADER)
  return gateway.invoker.call(scope, {
    name,
    arguments: args,
    context: {
      protocol,
      trace: traceOf(headers, meta),
      idempotencyKey: key !== null && place !== undefined ? `${key}-${place}` : key,
      listens: wantsProgress || logLevel !== undefined,
      logLevel,
      tasks,
      capabilities,
      sender: { request, meta },
      isApproved: approved === true,
      inputResponses: answers?.inputResponses,
      requestState: answers?.requestState,
      // Read only if something can need it.
      approval: scope.permissions && approvalOf(headers, meta),
      begins: call.begins,
    },
    refuse: call.refuse,
    catalog: call.catalog,
  })
}
