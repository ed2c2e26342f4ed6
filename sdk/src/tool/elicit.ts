/** Questions to the user in the middle of a call, with typed answers. */
import type { InputRequest, InputRequired, JsonSchema } from 'ftl-contract'
import { isObject } from 'ftl-contract'
import { checkJson } from '../schema/check-json.ts'
import {
  formatIssues,
  type InferInput,
  type InputSchema,
  isStandardSchema,
} from '../schema/standard-schema.ts'
import { toJsonSchema } from '../schema/to-json-schema.ts'
import { ToolError } from './errors.ts'

/** The user's answer: `content` fits the schema, and is there only when the form was accepted. */
export type Elicited<Content> =
  { action: 'accept'; content: Content } | { action: 'decline' | 'cancel'; content?: undefined }

/** See {@link ToolContext.elicit}. */
export type Elicit = <const Schema extends InputSchema>(
  message: string,
  schema: Schema,
) => Promise<Elicited<InferInput<Schema>>>

/** Ends the run of a handler that has asked; the client calls again with the answer. */
export class InputNeeded extends Error {
  override readonly name = 'InputNeeded'
  readonly request: InputRequired
  constructor(request: InputRequired) {
    super('the tool asks its user; do not catch this error')
    this.request = request
  }
}

/** What the client sent with the call. */
export interface Answered {
  inputResponses?: Readonly<Record<string, unknown>> | undefined
  requestState?: string | undefined
}

/** The questions of one run of a handler. The handler runs again for each answer, so they are known by their order. */
export class Questions {
  readonly #answers: Readonly<Record<string, unknown>>
  readonly #open: Record<string, InputRequest> = {}
  #asked = 0

  constructor({ inputResponses = {}, requestState }: Answered) {
    this.#answers = { ...savedAnswers(requestState), ...inputResponses }
  }

  /** Questions without an answer so far, also if the handler caught the error that ends its run. */
  get pending(): InputRequired | undefined {
    if (Object.keys(this.#open).length === 0) return undefined
    return {
      resultType: 'input_required',
      inputRequests: this.#open,
      // The client returns only its last answers; the earlier ones travel with it, sealed by the gateway.
      requestState: JSON.stringify({ answers: this.#answers }),
    }
  }

  readonly ask = async <const Schema extends InputSchema>(
    message: string,
    schema: Schema,
  ): Promise<Elicited<InferInput<Schema>>> => {
    const key = this.#asked++ === 0 ? 'answer' : `answer${this.#asked}`
    if (Object.hasOwn(this.#answers, key)) return readAnswer(schema, this.#answers[key])
    this.#open[key] = {
      method: 'elicitation/create',
      params: { mode: 'form', message, requestedSchema: formSchema(schema) },
    }
    throw new InputNeeded(this.pending ?? { resultType: 'input_required' })
  }
}

function savedAnswers(requestState: string | undefined): Record<string, unknown> {
  try {
    const { answers } = JSON.parse(requestState ?? '') as { answers?: unknown }
    return isObject(answers) ? answers : {}
  } catch {
    // The state of a tool that also asks by `inputRequired`.
    return {}
  }
}

/** @throws {ToolError} when the client's answer does not fit: it can send anything. */
async function readAnswer<Schema extends InputSchema>(
  schema: Schema,
  answer: unknown,
): Promise<Elicited<InferInput<Schema>>> {
  const { action, content = {} } = isObject(answer) ? answer : {}
  if (action === 'decline' || action === 'cancel') return { action }
  if (action !== 'accept') throw new ToolError("The client's answer must be one to a form")
  const checked = isStandardSchema(schema)
    ? await schema['~standard'].validate(content)
    : plainResult(checkJson(schema, content), content)
  if (checked.issues) {
    throw new ToolError(`The answer does not fit the form:\n${formatIssues(checked.issues)}`)
  }
  return { action, content: checked.value as InferInput<Schema> }
}

function plainResult(issues: ReturnType<typeof checkJson>, value: unknown) {
  return issues.length > 0 ? { issues } : { value, issues: undefined }
}

const FIELD_TYPES = ['string', 'number', 'integer', 'boolean']

/**
 * A form has only plain fields, so that every client can show it.
 *
 * @throws {TypeError} that names the field.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation
 */
function formSchema(schema: InputSchema): JsonSchema {
  const { properties = {}, required } = toJsonSchema(schema, 'elicit: schema')
  for (const [name, field] of Object.entries(properties as Record<string, JsonSchema>)) {
    const { type, items } = field
    const isList = type === 'array' && isObject(items) && ('enum' in items || 'anyOf' in items)
    if (isList || FIELD_TYPES.includes(type as string)) continue
    throw new TypeError(
      `elicit: field "${name}" must be a string, a number, a boolean, an enum or a list of an enum`,
    )
  }
  return { type: 'object', properties, ...(required !== undefined && { required }) }
}
