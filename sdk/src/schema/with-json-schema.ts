import type { JsonSchema } from 'ftl-contract'
import type { StandardSchema } from './standard-schema.ts'

/**
 * A schema of a library together with the JSON Schema that clients are shown: for a library that does not say it itself
 * (Valibot), or where it says too little. Arguments are still checked by the library.
 *
 * @example
 * import { toJsonSchema } from '@valibot/to-json-schema'
 * const schema = v.object({ city: v.string() })
 * export const inputSchema = withJsonSchema(schema, toJsonSchema(schema))
 */
export function withJsonSchema<const Schema extends StandardSchema>(
  schema: Schema,
  jsonSchema: object,
): { readonly '~standard': Schema['~standard'] } {
  const { version, vendor, validate } = schema['~standard']
  const document = () => jsonSchema as JsonSchema
  const standard: StandardSchema['~standard'] = {
    version,
    vendor,
    validate,
    jsonSchema: { input: document },
  }
  return { '~standard': standard }
}
