/**
 * `createTool`: a name, a schema and a handler become a tool of the component contract.
 *
 * @module
 */
import type { Icon, JsonSchema, ToolAnnotations, ToolDescription } from '../contract/tool.ts'
import {
  formatIssues,
  type InferInput,
  type InputSchema,
  isStandardSchema,
  type StandardResult,
} from '../schema/standard-schema.ts'
import type { AnyJob, JobDefinition } from '../job/definition.ts'
import { startJob } from '../job/start.ts'
import { headerParamProblem } from '../schema/header-params.ts'
import { sampleOf } from '../schema/sample.ts'
import { toJsonSchema } from '../schema/to-json-schema.ts'
import type { ToolContext } from './context.ts'
import { InvalidArguments } from './errors.ts'
import type { ToolAnswer } from './response.ts'
import { isGenerator, type ToolGenerator, toResult, ToolStream } from './stream.ts'

export interface ToolMetadata<Schema extends InputSchema = InputSchema> {
  /** 1 to 64 characters of `[A-Za-z0-9_.-]`. */
  name: string
  title?: string
  /** What the tool does; the model decides by this text whether to call it. */
  description?: string
  version?: string
  /** Zod 4.2+, Zod 3.24+ or a plain JSON Schema document. @default no arguments */
  inputSchema?: Schema
  /** What `structuredContent` looks like. */
  outputSchema?: InputSchema
  annotations?: ToolAnnotations
  icons?: Icon[]
  _meta?: Record<string, unknown>
}

type Answer = ToolAnswer | ToolStream | string

/**
 * What a tool does: `handler` answers the call, at once or, as a generator, with news on the way; `job` begins work that
 * may take longer than any call.
 */
export type ToolDefinition<Schema extends InputSchema, State, Prepared> = {
  metadata: ToolMetadata<Schema>
} & (
  | {
      handler: (
        input: InferInput<Schema>,
        context: ToolContext,
      ) => Answer | Promise<Answer> | ToolGenerator
      job?: undefined
    }
  | { job: JobDefinition<InferInput<Schema>, State, Prepared>; handler?: undefined }
)

/** A tool ready to be served; its schema was converted when it was made. */
export interface Tool {
  description: ToolDescription
  /**
   * Checks the arguments and runs the handler.
   *
   * @throws {InvalidArguments} when the arguments do not fit the schema.
   */
  call(args: unknown, context: ToolContext): Promise<ToolAnswer | ToolStream>
  /** How its jobs are asked about and stopped, when it was made with `job`. */
  job?: AnyJob
  /** Checks made-up arguments, while the component is built: what the schema does once is then done. Never throws. */
  rehearse?(): void
}

/** Recommended by the specification for tools without parameters. */
const NO_ARGUMENTS: JsonSchema = { type: 'object', additionalProperties: false }
const NAME = /^[A-Za-z0-9_.-]{1,64}$/

/**
 * Makes a tool.
 *
 * @throws {TypeError} at build time, when the name or a schema is not usable.
 * @example
 * export const tool = createTool({
 *   metadata: { name: 'greet', description: 'Says hello', inputSchema: z.object({ name: z.string() }) },
 *   handler: async ({ name }) => ToolResponse.text(`Hello, ${name}!`),
 * })
 * @example
 * handler: async function* ({ files }) {
 *   for (const [index, file] of files.entries()) {
 *     yield { message: `Reading ${file}`, progress: index, total: files.length }
 *   }
 *   return 'Read them all'
 * }
 * @example
 * job: {
 *   start: async ({ prompt }, { job }) => ({ ticket: await service.begin(prompt, job.id) }),
 *   poll: async (state) => (state ? service.look(state.ticket) : 'lost'),
 * }
 */
export function createTool<
  Schema extends InputSchema,
  State = unknown,
  Prepared = InferInput<Schema>,
>({
  metadata: { inputSchema, outputSchema, ...metadata },
  handler,
  job,
}: ToolDefinition<Schema, State, Prepared>): Tool {
  if (!NAME.test(metadata.name)) {
    throw new TypeError(
      `tool name "${metadata.name}": use 1 to 64 characters of letters, digits, "_", "." and "-"`,
    )
  }
  const description: ToolDescription = {
    ...metadata,
    inputSchema: inputSchema
      ? toJsonSchema(inputSchema, `tool "${metadata.name}": inputSchema`)
      : NO_ARGUMENTS,
  }
  const problem = headerParamProblem(description.inputSchema)
  if (problem !== undefined) throw new TypeError(`tool "${metadata.name}": ${problem}`)
  if (outputSchema) {
    description.outputSchema = toJsonSchema(outputSchema, `tool "${metadata.name}": outputSchema`)
  }
  const rehearse = () =>
    tryTwice(async () => valueOf(await check(inputSchema, sampleOf(description.inputSchema))))
  if (job) {
    const definition = job as AnyJob
    const tool = description.name
    return {
      description,
      rehearse,
      job: definition,
      async call(args, context) {
        const input = valueOf(await check(inputSchema, args))
        return { job: await startJob({ tool, definition, input, args }, context) }
      },
    }
  }
  return {
    description,
    rehearse,
    async call(args, context) {
      const checked = check(inputSchema, args)
      // Without waiting where there is nothing to wait for: most schemas answer at once.
      const input = valueOf(checked instanceof Promise ? await checked : checked)
      const answer = await handler(input, context)
      if (isGenerator(answer)) return new ToolStream(answer)
      return answer instanceof ToolStream ? answer : toResult(answer)
    },
  }
}

type Checked<Schema extends InputSchema> = StandardResult<InferInput<Schema>>

/** @throws {InvalidArguments} */
function check<Schema extends InputSchema>(
  schema: Schema | undefined,
  args: unknown,
): Checked<Schema> | Promise<Checked<Schema>> {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) {
    throw new InvalidArguments('the arguments must be a JSON object')
  }
  if (schema === undefined || !isStandardSchema(schema)) {
    return { value: args as InferInput<Schema> }
  }
  return schema['~standard'].validate(args) as Checked<Schema> | Promise<Checked<Schema>>
}

/** @throws {InvalidArguments} */
function valueOf<Value>(result: StandardResult<Value>): Value {
  if (result.issues) throw new InvalidArguments(formatIssues(result.issues))
  return result.value
}

// The second time the engine optimises what it has seen once. Nobody waits: a check of the author's may never end where
// there is no host.
function tryTwice(work: () => Promise<unknown>): void {
  const attempt = async () => work()
  for (let times = 0; times < 2; times++) attempt().catch(() => undefined)
}
