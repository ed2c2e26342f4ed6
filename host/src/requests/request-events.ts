/** What happens to a request from outside, told once to all who follow it: request log, telemetry, activity, audit log. */
import type { IncomingMessage } from 'node:http'
import type { HeaderEntry } from '../http/header-rules.ts'
import type { RequestHead } from '../http/messages.ts'
import type { SpanRecord } from './request-spans.ts'
import type { TraceContext } from './trace-context.ts'
import type { InnerCall, RequestEntry } from './request-entry.ts'

/** The head of a request from outside. */
export interface RequestStart {
  method: string
  /** Without the query. */
  path: string
  route: string | undefined
  /** As the client sent them. */
  headers: IncomingMessage['headers']
  /** Address of the client. */
  client: string | undefined
}

/** What the workers report about a request. */
export interface WorkerReport {
  /** Components in the order in which they were called. */
  chain: readonly string[]
  calls: readonly InnerCall[]
  spans: readonly SpanRecord[]
  /** Spans dropped because there were too many. */
  droppedSpans: number
  /** How often a worker was lost while it ran the request. */
  losses: number
}

/** Where events of all requests go. */
export interface RequestSink {
  /** A request has its route, or none fits. @returns what follows it; `undefined` if nothing does */
  begin?(start: RequestStart): RequestFollower | undefined
  /** A request has ended, also one that was refused before its route was known. */
  ended?(entry: RequestEntry): void
}

/** Follows one request. It implements what it needs; the events come in this order, except where one says otherwise. */
export interface RequestFollower {
  /**
   * Its component may make calls, and gets it now.
   *
   * @param principal the caller, if its credential is known from before. @returns the headers that the component gets
   */
  enters?(
    component: string,
    head: RequestHead,
    principal: string | undefined,
  ): readonly HeaderEntry[]
  /** A worker runs it. @param context of who follows it before this one. @returns the context for the worker */
  flies?(component: string, context: TraceContext | undefined): TraceContext | undefined
  /** Its body, if that arrived whole. */
  body?(bytes: Uint8Array): void
  /** Something was printed for it; `host`: the host reports it. Until its report. */
  line?(component: string, stream: 'stdout' | 'stderr' | 'host', line: string): void
  /** The gateway reports about it. @param line of the form of the audit log. Until its report. */
  gatewayLine?(line: string): void
  /** The answer begins. @param principal the caller, as the gateway reports it */
  answered?(principal: string | undefined, headers: readonly HeaderEntry[]): void
  /** It has no answer, or not the whole one. */
  failed?(error: unknown): void
  /** The workers have finished it, before or after {@link end}. */
  report?(report: WorkerReport): void
  /** The response has ended. */
  end?(entry: RequestEntry): void
}
