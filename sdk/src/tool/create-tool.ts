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
} from '../schema/standard-schema.ts'
import { headerParamProblem } from '../schema/header-params.ts'
import { toJsonSchema } from '../schema/to-json-schema.ts'
import type { ToolContext } from './context.ts'
import type { ToolAnswer } from './response.ts'

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

export interface ToolDefinition<Schema extends InputSchema> {
  metadata: ToolMetadata<Schema>
  handler: (
    input: InferInput<Schema>,
    context: ToolContext,
  ) => ToolAnswer | string | Promise<ToolAnswer | string>
}

/** A tool ready to be served; its schema was converted when it was made. */
export interface Tool {
  description: ToolDescription
  /**
   * Checks the arguments and runs the handler.
   *
   * @throws {InvalidArguments} when the arguments do not fit the schema.
   */
  call(args: unknown, context: ToolContext): Promise<ToolAnswer>
}

/** The arguments do not fit; the message names each path and rule, one a line. */
export class InvalidArguments extends Error {
  override readonly name = 'InvalidArguments'
}

/** A failure whose message may be shown to the caller; any other error is reported without its text. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
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
 */
export function createTool<Schema extends InputSchema>({
  metadata: { inputSchema, outputSchema, ...metadata },
  handler,
}: ToolDefinition<Schema>): Tool {
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
  return {
    description,
    async call(args, context) {
      const answer = await handler(await parse(inputSchema, args), context)
      return typeof answer === 'string' ? { content: [{ type: 'text', text: answer }] } : answer
    },
  }
}

async function parse<Schema extends InputSchema>(
  schema: Schema | undefined,
  args: unknown,
): Promise<InferInput<Schema>> {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) {
    throw new InvalidArguments('the arguments must be a JSON object')
  }
  if (schema === undefined || !isStandardSchema(schema)) return args as InferInput<Schema>
  const result = await schema['~standard'].validate(args)
  if (result.issues) throw new InvalidArguments(formatIssues(result.issues))
  return result.value as InferInput<Schema>
}
