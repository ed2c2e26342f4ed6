/** `createTool`: a name, a schema and a handler become a tool of the component contract. */
import { isObject, type JsonSchema, type ToolDescription } from 'ftl-contract'
import type { AnyJob } from '../job/definition.ts'
import { startJob } from '../job/start.ts'
import { checkJson } from '../schema/check-json.ts'
import { headerParamProblem } from '../schema/header-params.ts'
import { rehearsal } from '../schema/sample.ts'
import {
  formatIssues,
  type InferGiven,
  type InferInput,
  type InputSchema,
  isStandardSchema,
  type StandardResult,
} from '../schema/standard-schema.ts'
import { toJsonSchema } from '../schema/to-json-schema.ts'
import { sender } from './answer.ts'
import type { ToolContext } from './context.ts'
import type { ToolDefinition } from './definition.ts'
import { InvalidArguments } from './errors.ts'
import type { ToolAnswer } from './answer-builders.ts'
import { isGenerator, ToolStream } from './stream.ts'

/** A tool ready to be served; its schema was converted when it was made. */
export interface Tool<Given = unknown, Result = unknown> {
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
  /** Never there: the types of its arguments, as a caller writes them, and of its `structuredContent`. */
  readonly '~types'?: { readonly given: Given; readonly result: Result }
}

/** The arguments of a tool, as a caller writes them. */
export type GivenTo<T extends Tool> = unknown extends TypesOf<T>['given']
  ? Record<string, unknown>
  : TypesOf<T>['given']

/** The `structuredContent` of a tool. */
export type ResultOf<T extends Tool> = TypesOf<T>['result']

type TypesOf<T extends Tool> = NonNullable<T['~types']>

/** Recommended by the specification for tools without parameters; some clients require `properties`. */
const NO_ARGUMENTS: JsonSchema = { type: 'object', properties: {}, additionalProperties: false }
const NAME = /^[A-Za-z0-9_.-]{1,64}$/

/**
 * Makes a tool.
 *
 * @throws {TypeError} at build time, when the name or a schema is not usable, or there is nothing to do.
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
  const Schema extends InputSchema = JsonSchema,
  State = unknown,
  Prepared = InferInput<Schema>,
  const Output extends InputSchema | undefined = undefined,
>({
  metadata: given,
  handler,
  job,
}: ToolDefinition<Schema, State, Prepared, Output>): Tool<
  InferGiven<Schema>,
  Output extends InputSchema ? InferGiven<Output> : unknown
> {
  // Other SDKs take its members beside the handler. The builder says what to write: no component carries the words.
  const { inputSchema, outputSchema, ...metadata } = given ?? {}
  const { name } = metadata
  if (typeof name !== 'string' || !NAME.test(name)) {
    throw new TypeError(`tool name "${name}": use 1 to 64 letters, digits, "_", "." or "-"`)
  }
  const where = `tool "${name}": `
  refuseWithoutWork(where, handler, job)
  const description: ToolDescription = {
    ...metadata,
    inputSchema: inputSchema ? toJsonSchema(inputSchema, `${where}inputSchema`) : NO_ARGUMENTS,
  }
  const problem = headerParamProblem(description.inputSchema)
  if (problem !== undefined) throw new TypeError(where + problem)
  if (outputSchema) description.outputSchema = toJsonSchema(outputSchema, `${where}outputSchema`)
  const rehearse = rehearsal((args) => check(inputSchema, args), description.inputSchema)
  if (job) {
    const definition = job as AnyJob
    return {
      description,
      rehearse,
      job: definition,
      async call(args, context) {
        const input = valueOf(await check(inputSchema, args))
        return { job: await startJob({ tool: name, definition, input, args }, context) }
      },
    }
  }
  const toSent = sender(name, outputSchema)
  return {
    description,
    rehearse,
    async call(args, context) {
      const checked = check(inputSchema, args)
      // Without waiting where there is nothing to wait for: most schemas answer at once.
      const input = valueOf(checked instanceof Promise ? await checked : checked)
      const given = handler(input, context) as unknown
      const answer = isGenerator(given) ? given : await given
      if (!isGenerator(answer) && !(answer instanceof ToolStream)) return toSent(answer)
      const stream = answer instanceof ToolStream ? answer : new ToolStream(answer)
      stream.toEnd = toSent
      return stream
    },
  }
}

function refuseWithoutWork(where: string, handler: unknown, job: unknown): void {
  const fail = (problem: string): never => {
    throw new TypeError(where + problem)
  }
  if (job) {
    if (handler) fail('it has a "handler" and a "job": keep one')
    const { start, poll } = job as { start?: unknown; poll?: unknown }
    if (!isFunction(start) || !isFunction(poll)) fail('"job" needs functions "start" and "poll"')
  } else if (!handler) fail('it does nothing: give it a "handler" or a "job"')
  else if (!isFunction(handler)) fail(`"handler" must be a function, and is ${typeof handler}`)
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function'
}

type Checked<Schema extends InputSchema> = StandardResult<InferInput<Schema>>

/** @throws {InvalidArguments} */
function check<Schema extends InputSchema>(
  schema: Schema | undefined,
  args: unknown,
): Checked<Schema> | Promise<Checked<Schema>> {
  if (!isObject(args)) {
    throw new InvalidArguments('the arguments must be a JSON object')
  }
  if (schema && isStandardSchema(schema)) {
    return schema['~standard'].validate(args) as Checked<Schema> | Promise<Checked<Schema>>
  }
  const issues = checkJson(schema ?? NO_ARGUMENTS, args)
  return issues.length > 0 ? { issues } : { value: args as InferInput<Schema> }
}

/** @throws {InvalidArguments} */
function valueOf<Value>(result: StandardResult<Value>): Value {
  if (result.issues) throw new InvalidArguments(formatIssues(result.issues))
  return result.value
}
