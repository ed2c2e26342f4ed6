/** The options and the interface of a component under test, in whatever way it runs. */
import type { Offer, PromptResult, ResourceResult, ToolResult } from 'ftl-contract'
import type { ComponentEntry } from '../serve/component.ts'
import type { CallUpdates, InputAnswers } from './calls.ts'
import type { Heard } from './console.ts'
import type { CallOptions } from './headers.ts'
import type { TestPlatform, TestPlatformOptions } from './platform.ts'
import type { TestJob } from './test-job.ts'

/** Options of the component under test. */
export interface TestComponentOptions extends TestPlatformOptions, CallOptions {
  /** The component's name in `spin.toml`. @default 'test' */
  name?: string
  /** Other components of the application by name; they are reached as `http://{name}.spin.internal`. */
  components?: Readonly<Record<string, ComponentEntry>>
  /**
   * Globals of Node that the build gives the component, such as `Buffer`. Others that a component lacks are hidden from
   * the code under test. @default none
   */
  globals?: readonly string[]
}

/** Options of one call. */
export interface CallSettings extends CallOptions {
  /** The client's answers to the tool's questions. @default a `TypeError` that names the questions */
  answers?: InputAnswers
}

/** Progress and log lines of the last call, and the platform of the component. */
export interface TestCalls extends CallUpdates {
  /** What the component printed in all calls. */
  console: Heard[]
  platform: TestPlatform
  /** The key-value store `default`. */
  kv: TestPlatform['kv']
  /** Every request that the component sent, in order. */
  requests: Request[]
  /** Advances the component's clock. */
  advance(milliseconds: number): void
  /** Settles when everything given to `waitUntil` has settled. */
  settled(): Promise<void>
}

/** A component under test. */
export interface ComponentCalls extends TestCalls {
  /**
   * Calls a tool as a gateway does. A job is polled until it ends, with the clock advanced between polls.
   *
   * @throws {ToolFailed} when a client would read only that the tool failed, with the tool's error as `cause`; also
   * when a job fails or is cancelled.
   * @throws {NotJson} when the answer contains a value that JSON would drop or change.
   */
  call(tool: string, args?: unknown, settings?: CallSettings): Promise<ToolResult>
  /** Calls a tool that answers with a job. @throws {ToolFailed} when it answers without one. */
  startJob(tool: string, args?: unknown, settings?: CallOptions): Promise<TestJob>
  prompt(name: string, args?: Record<string, string>): Promise<PromptResult>
  resource(uri: string): Promise<ResourceResult>
  /** What `GET /` publishes, always as an `Offer`. */
  offer(): Promise<Offer>
  /** Any request of the component contract. */
  fetch(path: string, init?: RequestInit): Promise<Response>
}
