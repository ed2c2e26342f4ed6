/** Arguments to try a tool with, made from its published schema. */

interface Schema {
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  const?: unknown
  default?: unknown
  enum?: unknown[]
  examples?: unknown[]
  minimum?: number
  minItems?: number
  anyOf?: Schema[]
  oneOf?: Schema[]
}

/** The first example of the schema, or its required properties with values of their types. */
export function sampleArguments(schema: unknown): Record<string, unknown> {
  const value = sample(schema ?? {}, '')
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function sample(schema: Schema, name: string): unknown {
  const [known] = [schema.examples?.[0], schema.const, schema.default, schema.enum?.[0]].filter(
    (value) => value !== undefined,
  )
  if (known !== undefined) return known
  const alternative = schema.anyOf?.[0] ?? schema.oneOf?.[0]
  if (alternative) return sample(alternative, name)
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'number':
    case 'integer':
      return Math.max(1, schema.minimum ?? 1)
    case 'boolean':
      return true
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => sample(schema.items ?? {}, name))
    case 'string':
      return name === 'name' ? 'Ada' : 'Hello'
    case 'null':
      return null
    default: {
      const { properties = {}, required = [] } = schema
      return Object.fromEntries(required.map((key) => [key, sample(properties[key] ?? {}, key)]))
    }
  }
}
