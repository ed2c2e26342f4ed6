/**
 * What a gateway says about a call.
 *
 * @module
 */
import {
  CLIENT_CAPABILITIES_HEADER,
  DEADLINE_HEADER,
  IDEMPOTENCY_HEADER,
  LOG_LEVEL_HEADER,
  PREFER_HEADER,
  PRINCIPAL_HEADER,
  REQUEST_ID_HEADER,
  RESPOND_ASYNC,
} from '../contract/headers.ts'
import type { LogLevel } from '../contract/lines.ts'
import { LINES_TYPE } from '../serve/lines.ts'

/** Who calls, and how. */
export interface CallOptions {
  /** Who calls. @default nobody the gateway knows */
  principal?: string
  /** @default 'test' */
  requestId?: string
  /** Milliseconds the caller will wait. @default 30_000 */
  deadlineMs?: number
  idempotencyKey?: string
  /** Least severe log line the caller wants; `none` for none. @default 'debug' */
  logLevel?: LogLevel | 'none'
  /** Whether the caller is told of progress and log lines. @default true */
  listens?: boolean
  /** Whether the caller takes a job for an answer; otherwise the SDK waits for its end, in real time. @default true */
  respondAsync?: boolean
  /** What the client can be asked. @default elicitation, sampling and roots */
  clientCapabilities?: Readonly<Record<string, unknown>>
  /** Further headers, for example `traceparent`. */
  headers?: Readonly<Record<string, string>>
}

export function callHeaders({
  principal,
  requestId = 'test',
  deadlineMs = 30_000,
  idempotencyKey,
  logLevel = 'debug',
  listens = true,
  respondAsync = true,
  clientCapabilities = { elicitation: {}, sampling: {}, roots: {} },
  headers,
}: CallOptions): Record<string, string> {
  return {
    [REQUEST_ID_HEADER]: requestId,
    [DEADLINE_HEADER]: String(deadlineMs),
    [CLIENT_CAPABILITIES_HEADER]: JSON.stringify(clientCapabilities),
    accept: listens ? `application/json, ${LINES_TYPE}` : 'application/json',
    ...(respondAsync && { [PREFER_HEADER]: RESPOND_ASYNC }),
    ...(logLevel !== 'none' && { [LOG_LEVEL_HEADER]: logLevel }),
    ...(principal !== undefined && { [PRINCIPAL_HEADER]: principal }),
    ...(idempotencyKey !== undefined && { [IDEMPOTENCY_HEADER]: idempotencyKey }),
    ...headers,
  }
}
