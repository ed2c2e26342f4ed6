/** From what a tool's author wrote to the JSON Schema that clients see. */
import type { JsonSchema } from 'ftl-contract'
import { zodToJsonSchema } from '../zod/zod-to-json-schema.ts'
import { typeProblem } from './type-names.ts'
import { type InputSchema, isStandardSchema, type StandardSchema } from './standard-schema.ts'

/** The schema given to `createTool` cannot be turned into JSON Schema. */
class UnsupportedSchema extends TypeError {
  override readonly name = 'UnsupportedSchema'
}

/**
 * Runs at build time (module scope), so its cost is never paid by a request. Plain JSON Schema is kept byte-true.
 *
 * @param where how the schema is called in an error: `tool "a": inputSchema`.
 * @throws {UnsupportedSchema} when the schema cannot say what it is in JSON Schema, or its root is not an object.
 */
export function toJsonSchema(schema: InputSchema, where: string): JsonSchema {
  const fail = (problem: string): never => {
    throw new UnsupportedSchema(`${where}: ${problem}`)
  }
  // A caller without types may have given anything.
  const given = schema as unknown
  if (!given || !['object', 'function'].includes(typeof given)) fail('it must be a schema')
  if ('then' in schema) fail('it is a promise: await it first')
  const document = isStandardSchema(schema) ? describeSchema(schema, fail) : schema
  if (document['type'] !== 'object') {
    fail('the root must have "type": "object"')
  }
  // What a library wrote has no mistakes of typing.
  const problem = isStandardSchema(schema) ? undefined : typeProblem(document)
  return problem === undefined ? document : fail(problem)
}

/**
 * The JSON Schema of a library's schema, from itself (Zod 4.2+, ArkType, `withJsonSchema`), or from its definition (any
 * other Zod).
 *
 * @param fail words the error.
 */
function describeSchema(schema: StandardSchema, fail: (problem: string) => never): JsonSchema {
  const { vendor } = schema['~standard']
  try {
    const described = describe(schema)
    if (described) return described
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    const path = culprit(schema).join('.')
    return fail(`${path === '' ? '' : `at "${path}": `}${why}. ${remedy(vendor)}`)
  }
  return fail(`a schema of ${vendor} does not provide its JSON Schema. ${remedy(vendor)}`)
}

function describe(schema: StandardSchema): JsonSchema | undefined {
  const { jsonSchema, vendor } = schema['~standard']
  if (jsonSchema) return jsonSchema.input({ target: 'draft-2020-12' })
  return vendor === 'zod' ? zodToJsonSchema(schema) : undefined
}

/** The way to the first field that cannot be described: the library names its type, and there may be many of it. */
function culprit(schema: object): string[] {
  const { shape = {} } = schema as { shape?: Record<string, unknown> }
  for (const [key, field] of Object.entries(shape)) {
    if (!isStandardSchema(field as InputSchema)) continue
    try {
      describe(field as StandardSchema)
    } catch {
      return [key, ...culprit(field as object)]
    }
  }
  return []
}

function remedy(vendor: string): string {
  const how =
    vendor === 'valibot'
      ? 'withJsonSchema(schema, toJsonSchema(schema)), with toJsonSchema of "@valibot/to-json-schema" and'
      : 'withJsonSchema(schema, { type: "object", … }), with'
  return `Write ${how} withJsonSchema of "ftl-sdk"`
}
