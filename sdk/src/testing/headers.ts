/** The headers that a gateway sends with a call. */
import {
  CALLER_HEADER,
  CLIENT_CAPABILITIES_HEADER,
  CLIENT_PROTOCOL_HEADER,
  DEADLINE_HEADER,
  IDEMPOTENCY_HEADER,
  LOG_LEVEL_HEADER,
  type LogLevel,
  PREFER_HEADER,
  PRINCIPAL_HEADER,
  REQUEST_ID_HEADER,
  RESPOND_ASYNC,
} from 'ftl-contract'
import { LINES_TYPE } from '../serve/lines.ts'
import type { ToolCaller } from '../tool/caller.ts'
import type { ClientProtocol } from '../tool/client.ts'

/** The caller of a call, and what it accepts. */
export interface CallOptions {
  /** Unique name of the caller. @default that of `caller`, else unknown to the gateway */
  principal?: string
  /** The authenticated caller. @default unknown to the gateway */
  caller?: ToolCaller
  /** @default 'test' */
  requestId?: string
  /** Milliseconds the caller waits for the answer. @default 30_000 */
  deadlineMs?: number
  idempotencyKey?: string
  /** Least severe level of log lines that the caller receives; `none` turns them off. @default 'debug' */
  logLevel?: LogLevel | 'none'
  /** Whether the caller receives progress and log lines. @default true */
  listens?: boolean
  /** Whether the caller accepts a job as the answer; if not, the SDK waits for its end in real time. @default true */
  respondAsync?: boolean
  /** What the component may ask the client for. @default elicitation, sampling and roots */
  clientCapabilities?: Readonly<Record<string, unknown>>
  /** The client's revision of MCP. @default 'plain' */
  protocol?: ClientProtocol
  /** Further headers, for example `traceparent`. */
  headers?: Readonly<Record<string, string>>
}

export function callHeaders({
  caller,
  principal = caller?.id,
  requestId = 'test',
  deadlineMs = 30_000,
  idempotencyKey,
  logLevel = 'debug',
  listens = true,
  respondAsync = true,
  clientCapabilities = { elicitation: {}, sampling: {}, roots: {} },
  protocol = 'plain',
  headers,
}: CallOptions): Record<string, string> {
  return {
    [REQUEST_ID_HEADER]: requestId,
    [DEADLINE_HEADER]: String(deadlineMs),
    [CLIENT_CAPABILITIES_HEADER]: JSON.stringify(clientCapabilities),
    ...(protocol !== 'plain' && { [CLIENT_PROTOCOL_HEADER]: protocol }),
    accept: listens ? `application/json, ${LINES_TYPE}` : 'application/json',
    ...(respondAsync && { [PREFER_HEADER]: RESPOND_ASYNC }),
    ...(logLevel !== 'none' && { [LOG_LEVEL_HEADER]: logLevel }),
    ...(principal !== undefined && { [PRINCIPAL_HEADER]: principal }),
    ...(caller && { [CALLER_HEADER]: detailsOf(caller) }),
    ...(idempotencyKey !== undefined && { [IDEMPOTENCY_HEADER]: idempotencyKey }),
    ...headers,
  }
}

/** As the gateway writes it: a header has ASCII only. */
function detailsOf({ id, ...details }: ToolCaller): string {
  return JSON.stringify(details).replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
