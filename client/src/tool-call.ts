/** One call of a tool, and the job it may start. */
import {
  type CallToolResult,
  fromJsonSchema,
  ProtocolError,
  type RequestOptions as WireOptions,
  type Tool,
} from '@modelcontextprotocol/client'
import { APPROVAL_KEY, type Approve, neededApproval } from './approval.ts'
import { type Answers, answerTask } from './answers-to-server.ts'
import { type ClientError, ViolationError } from './errors.ts'
import { followStream } from './jobs/follow-stream.ts'
import { followTask, type TaskAsker } from './jobs/follow-task.ts'
import { type Progress, progressOf } from './jobs/progress.ts'
import { withReadableContent } from './readable-content.ts'
import { within } from './wait.ts'
import { JobStarted, type Wire } from './wire.ts'

/** Options of any request. */
export interface RequestOptions {
  /**
   * Ends the wait with a `CancelledError` and cancels the request on the server, except for `tools/list`, which other
   * callers may share.
   */
  signal?: AbortSignal
  /** Milliseconds to wait for the answer; with `onProgress`, each progress message restarts it. @default 60_000 */
  timeoutMs?: number
}

/** Options of a request that may take a while. */
export interface ProgressOptions extends RequestOptions {
  /** Requests progress from the server; called for each progress message that it sends. */
  onProgress?: (progress: Progress) => void
}

/** Options of one tool call. */
export interface CallOptions extends ProgressOptions {
  /** Milliseconds a job may take once the call has started one. @default 1_800_000 */
  jobTimeoutMs?: number
  /** Called with the id of the task, once the call has started one. */
  onTask?: (taskId: string) => void
  /**
   * Called if a person must approve the call first. If it returns true, the call is sent again with the approval, which
   * is valid for this call only. A client with `answers.elicitation` is asked by that, where the server can.
   *
   * A program that always returns true takes the decision away from the person.
   *
   * @default the result has `isError` and says that an approval is needed
   */
  approve?: Approve
}

/** The result of a tool. `isError`: the tool ran and failed; the reason is in `content`, for the model to read. */
export type ToolResult = CallToolResult

export const TIMEOUT_MS = 60_000
const JOB_TIMEOUT_MS = 30 * 60_000

export interface Surroundings {
  wire(): Wire
  /** The schema of the tool's structured result, if it is known. */
  schemaOf(tool: string): Tool['outputSchema']
  explained(error: unknown, what: string, signal: AbortSignal | undefined): ClientError
  answers: Answers | undefined
}

export class Caller {
  readonly #around: Surroundings

  constructor(around: Surroundings) {
    this.#around = around
  }

  async call(
    tool: string,
    args: Record<string, unknown>,
    options: CallOptions,
    meta: Record<string, unknown> | undefined,
  ): Promise<ToolResult> {
    const result = await this.#callOnce(tool, args, options, meta)
    const needed = options.approve && neededApproval(result)
    if (!options.approve || !needed) return result
    const { token, ...shown } = needed
    // One approval for one call: a server that asks again gets no second answer.
    if (!(await options.approve({ tool, arguments: args, ...shown }))) return result
    return this.#callOnce(tool, args, options, { ...meta, [APPROVAL_KEY]: token })
  }

  async #callOnce(
    tool: string,
    args: Record<string, unknown>,
    options: CallOptions,
    meta: Record<string, unknown> | undefined,
  ): Promise<ToolResult> {
    const params = { name: tool, arguments: args, ...(meta && { _meta: meta }) }
    const { signal } = options
    try {
      return await this.#around.wire().callTool(params, wireOptions(options))
    } catch (error) {
      if (error instanceof ProtocolError && error.data instanceof JobStarted) {
        return this.#follow(tool, error.data, options)
      }
      throw this.#around.explained(error, `tools/call of "${tool}"`, signal)
    }
  }

  /** Sends any request; its result is not validated. */
  async request(
    method: string,
    params: Record<string, unknown>,
    options: ProgressOptions,
  ): Promise<Record<string, unknown>> {
    try {
      return await this.#around.wire().ask(method, params, wireOptions(options))
    } catch (error) {
      throw this.#around.explained(error, method, options.signal)
    }
  }

  async #follow(
    tool: string,
    { how, params }: JobStarted,
    options: CallOptions,
  ): Promise<ToolResult> {
    const { signal, timeoutMs = TIMEOUT_MS, onProgress, jobTimeoutMs = JOB_TIMEOUT_MS } = options
    if (typeof params['taskId'] === 'string') options.onTask?.(params['taskId'])
    try {
      const result = await within(jobTimeoutMs, signal, (limit) =>
        how === 'task'
          ? followTask(this.#asker(timeoutMs), params, { signal: limit, onProgress })
          : followStream(params, { signal: limit, onProgress }),
      )
      // Streams belong to the API reference, whose content has types and fields of its own.
      return await this.#checked(tool, how === 'task' ? withReadableContent(result) : result)
    } catch (error) {
      throw this.#around.explained(error, `the job of "${tool}"`, signal)
    }
  }

  #asker(timeout: number): TaskAsker {
    const around = this.#around
    const { answers } = around
    return {
      async ask(method, params, signal) {
        try {
          return await around.wire().ask(method, params, { signal, timeout })
        } catch (error) {
          // Rethrow the reason of the follower's signal unchanged: `#follow` derives the error from it.
          if (signal?.aborted) throw signal.reason
          throw around.explained(error, method, signal)
        }
      },
      ...(answers && { answer: (requests) => answerTask(answers, requests) }),
    }
  }

  /** Validates the result of a job as the official client validates the result of a call. */
  async #checked(tool: string, result: Record<string, unknown>): Promise<ToolResult> {
    const { content = [], structuredContent, isError } = result as Partial<ToolResult>
    if (!Array.isArray(content)) throw new ViolationError(`the result of "${tool}" has no content`)
    const schema = this.#around.schemaOf(tool)
    if (schema && isError !== true) {
      const { issues } = await fromJsonSchema(schema)['~standard'].validate(structuredContent)
      if (issues) {
        const why = issues[0]?.message ?? 'no reason given'
        throw new ViolationError(`the result of "${tool}" does not fit its schema: ${why}`)
      }
    }
    return { ...result, content }
  }
}

/** The SDK reports each round of questions as progress, which the server did not send. */
const ASKS = /^Fulfilling input required by '[^']*' \(round \d+\)$/

function wireOptions({ signal, timeoutMs = TIMEOUT_MS, onProgress }: ProgressOptions): WireOptions {
  return {
    signal,
    timeout: timeoutMs,
    ...(onProgress && {
      onprogress: (progress) => {
        if (!ASKS.test(progress.message ?? '')) onProgress(progressOf(progress))
      },
      resetTimeoutOnProgress: true,
    }),
  }
}
