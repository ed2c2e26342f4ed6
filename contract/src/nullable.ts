import type { JsonSchema } from './tool.ts'

/** OpenAPI 3.0: `nullable` allows null besides what the other keywords allow. */
export function withNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values, title, description, default: preset, ...rest } = schema
  const types = type === undefined ? [] : [type].flat()
  if (types.includes('null')) return schema
  const told = { title, description, default: preset }
  for (const [name, value] of Object.entries(told)) {
    if (value === undefined) delete told[name as keyof typeof told]
  }
  const isPlain = !['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'const', 'if'].some(
    (name) => name in rest,
  )
  if (isPlain) {
    if (types.length === 0 && values === undefined) return schema
    return {
      ...schema,
      ...(types.length > 0 && { type: [...types, 'null'] }),
      ...(Array.isArray(values) && {
        enum: values.includes(null) ? (values as unknown[]) : [...(values as unknown[]), null],
      }),
    }
  }
  const inner = {
    ...rest,
    ...(type !== undefined && { type }),
    ...(values !== undefined && { enum: values }),
  }
  return { ...told, anyOf: [inner, { type: 'null' }] }
}
