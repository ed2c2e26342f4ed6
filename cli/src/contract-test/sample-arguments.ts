/** Arguments to try a tool with, made from its published schema. */

interface Schema {
  type?: string | string[]
  format?: string
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

/** Texts that libraries of schemas accept for these formats. */
const TEXTS: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  email: 'ada@example.com',
  uri: 'https://example.com/',
  uuid: '1b4e28ba-2fa1-41d2-883f-0016d3cca427',
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
      return textFor(schema, name)
    case 'null':
      return null
    default: {
      const { properties = {}, required = [] } = schema
      return Object.fromEntries(required.map((key) => [key, sample(properties[key] ?? {}, key)]))
    }
  }
}

function textFor({ format = '' }: Schema, name: string): string {
  if (Object.hasOwn(TEXTS, format)) return TEXTS[format] ?? ''
  return name === 'name' ? 'Ada' : 'Hello'
}
