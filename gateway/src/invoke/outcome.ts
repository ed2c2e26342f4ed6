/**
 * What a tool call comes to. Transports map it to their own wire form.
 *
 * @module
 */
import type { JobRecord, ToolResult } from 'ftl-sdk/contract'
import type { Scope } from '../scope.ts'
import type { ArgumentError } from './validate.ts'

export type Outcome =
  /** The tool answered; `isError` in it is the tool's own word. */
  | { kind: 'result'; result: ToolResult }
  /** The tool has started a job that outlives the call. */
  | { kind: 'job'; job: JobRecord }
  | { kind: 'unknown-tool' }
  /** At least one error. */
  | { kind: 'invalid-arguments'; errors: ArgumentError[] }
  /** The tool cannot be called, because what it publishes about its arguments cannot be used. */
  | { kind: 'unusable-schema'; message: string }
  /** The tool ran and failed, or answered what is no tool result. `code` is a failed job's own. */
  | { kind: 'tool-failed'; message: string; code?: number }
  /** The tool could not be reached or did not answer in time. */
  | { kind: 'unreachable'; message: string }

/** An outcome with nothing left to wait for. */
export type Settled = Exclude<Outcome, { kind: 'job' }>

export interface ToolCall {
  /** As listed, so with the component's prefix where names clash. */
  name: string
  arguments: Record<string, unknown>
  /** W3C trace context to hand on: `traceparent`, `tracestate`, `baggage`. Other keys are ignored. */
  trace?: Readonly<Record<string, unknown>>
}

export interface ToolInvoker {
  /** Never throws for what a tool does. @throws {ConfigurationError} */
  call(scope: Scope, call: ToolCall): Promise<Outcome>
}
