/** What the author of a tool writes. */
import type { Icon, InputRequired, ToolAnnotations, ToolResult } from 'ftl-contract'
import type { JobDefinition } from '../job/definition.ts'
import type { InferGiven, InferInput, InputSchema } from '../schema/standard-schema.ts'
import type { ToolContext } from './context.ts'
import type { ErrorResult } from './errors.ts'
import type { StructuredResult, ToolAnswer } from './answer-builders.ts'
import type { ToolGenerator, ToolStream } from './stream.ts'

/** What a client is shown of a tool. */
export interface ToolMetadata<
  Schema extends InputSchema = InputSchema,
  Output extends InputSchema | undefined = InputSchema | undefined,
> {
  /** 1 to 64 characters of `[A-Za-z0-9_.-]`. */
  name: string
  title?: string
  /** What the tool does; the model decides by this text whether to call it. */
  description?: string
  version?: string
  /**
   * Zod 4, Zod mini, Zod 3.24+, ArkType, a JSON Schema literal, or any Standard Schema by `withJsonSchema`.
   *
   * @default no arguments
   */
  inputSchema?: Schema
  /** What `structuredContent` looks like: what the handler returns is held to it. */
  outputSchema?: Output
  annotations?: ToolAnnotations
  icons?: Icon[]
  _meta?: Record<string, unknown>
}

/** An object of the author's own: it becomes `structuredContent`, and text beside it. */
type Plain = object & {
  content?: never
  job?: never
  resultType?: never
  // No function, no list, no generator, no promise.
  bind?: never
  then?: never
  [Symbol.iterator]?: never
  [Symbol.asyncIterator]?: never
}

/**
 * A result beside an `outputSchema` has a value that fits it, or reports a failure. `ToolResponse.text` alone would break
 * the promise at the first call.
 */
type ResultFor<Output extends InputSchema | undefined> = Output extends InputSchema
  ? StructuredResult | ErrorResult
  : ToolResult

/** What a handler may return; nothing is an empty result. */
export type HandlerAnswer<Output extends InputSchema | undefined = undefined> =
  | Exclude<ToolAnswer, ToolResult>
  | ResultFor<Output>
  | ToolStream
  | (Output extends InputSchema ? InferGiven<Output> : string | Plain | void)

type HandlerGenerator<Output extends InputSchema | undefined> = ToolGenerator<
  | ResultFor<Output>
  | InputRequired
  | (Output extends InputSchema ? InferGiven<Output> : string | Plain | void)
>

/**
 * What a tool does: `handler` answers the call, at once or, as a generator, with updates; `job` begins work that
 * may take longer than any call.
 */
export type ToolDefinition<
  Schema extends InputSchema = InputSchema,
  State = unknown,
  Prepared = InferInput<Schema>,
  Output extends InputSchema | undefined = undefined,
> = {
  metadata: ToolMetadata<Schema, Output>
} & (
  | { job: JobDefinition<InferInput<Schema>, State, Prepared>; handler?: undefined }
  // Last, because of a definition with neither the compiler names what the last form lacks.
  | {
      handler: (
        input: InferInput<Schema>,
        context: ToolContext,
      ) => HandlerAnswer<Output> | Promise<HandlerAnswer<Output>> | HandlerGenerator<Output>
      job?: undefined
    }
)
