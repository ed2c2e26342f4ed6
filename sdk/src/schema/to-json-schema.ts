/**
 * From what a tool's author wrote to the JSON Schema that clients see.
 *
 * @module
 */
import { zodToJsonSchema } from 'zod-to-json-schema'
import type { JsonSchema } from '../contract/tool.ts'
import { type InputSchema, isStandardSchema } from './standard-schema.ts'

/** The schema given to `createTool` cannot be turned into JSON Schema. */
export class UnsupportedSchema extends TypeError {
  override readonly name = 'UnsupportedSchema'
}

/**
 * Runs at build time (module scope), so its cost is never paid by a request.
 *
 * Zod 4.2+ describes itself (Standard JSON Schema, the same text as `z.toJSONSchema`), Zod 3 goes through
 * zod-to-json-schema (draft-07), plain JSON Schema is kept byte-true.
 *
 * @throws {UnsupportedSchema} when the schema is of a library that does not tell its JSON Schema, or its root
 * is not an object.
 */
export function toJsonSchema(schema: InputSchema, where: string): JsonSchema {
  const document = describe(schema, where)
  if (document['type'] !== 'object') {
    throw new UnsupportedSchema(
      `${where}: the root must have "type": "object", because tool arguments are an object`,
    )
  }
  return document
}

function describe(schema: InputSchema, where: string): JsonSchema {
  if (!isStandardSchema(schema)) return schema
  const standard = schema['~standard']
  if (standard.jsonSchema) return standard.jsonSchema.input({ target: 'draft-2020-12' })
  if (standard.vendor === 'zod' && '_def' in schema && !('_zod' in schema)) {
    return zodToJsonSchema(schema as unknown as Parameters<typeof zodToJsonSchema>[0])
  }
  throw new UnsupportedSchema(
    `${where}: this ${standard.vendor} version does not describe itself as JSON Schema; ` +
      'use zod 4.2 or newer, zod 3.24 or newer of version 3, or a plain JSON Schema object',
  )
}
