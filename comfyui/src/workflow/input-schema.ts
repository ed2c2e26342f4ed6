/** The JSON Schema of a tool's fields. */
import type { Field } from './field.ts'

/** Keys in the order of the configuration format. */
export function toInputSchema(fields: readonly Field[]): Record<string, unknown> {
  const required = fields.filter((field) => field.required).map(({ name }) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, toProperty(field)])),
    ...(required.length > 0 && { required }),
  }
}

function toProperty(field: Field): Record<string, unknown> {
  const { type, description, enum: choices, minimum, maximum } = field
  return {
    type,
    ...(description !== undefined && { description }),
    ...(choices && { enum: choices }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...('default' in field && { default: field.default }),
  }
}
