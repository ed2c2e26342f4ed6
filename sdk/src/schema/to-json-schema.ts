/** From what a tool's author wrote to the JSON Schema that clients see. */
import type { JsonSchema } from 'ftl-contract'
import { describeSchema } from '../library/describe.ts'
import { type InputSchema, isStandardSchema } from './standard-schema.ts'

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
  return document
}
