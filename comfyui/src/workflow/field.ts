/** A field of a tool: what it takes, and whether a value is that. */

export const FIELD_TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array'] as const
export type FieldType = (typeof FIELD_TYPES)[number]

/** How a value is made when the caller gives none. */
export interface Generator {
  type: 'seed' | 'random'
  /** Inclusive. @default the field's own limits, else 0 */
  min?: number
  /** Inclusive. @default the field's own limits, else 2^32 - 1 */
  max?: number
}

export interface Field {
  name: string
  type: FieldType
  description?: string
  /** @default true without a default and a generator */
  required: boolean
  default?: unknown
  enum?: unknown[]
  minimum?: number
  maximum?: number
  generator?: Generator
}

/** What is wrong with a value for a field, in words that go on from its name; `undefined`: nothing. */
export function problemOf(
  value: unknown,
  field: Omit<Field, 'name' | 'required'>,
): string | undefined {
  const { type, enum: choices, minimum, maximum } = field
  if (!isOfType(value, type))
    return `must be ${type === 'integer' || type === 'array' || type === 'object' ? 'an' : 'a'} ${type}`
  if (typeof value === 'number') {
    if (type === 'integer' && !Number.isSafeInteger(value)) {
      return `must be between ${Number.MIN_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER}`
    }
    if (minimum !== undefined && value < minimum) return `must be at least ${minimum}`
    if (maximum !== undefined && value > maximum) return `must be at most ${maximum}`
  }
  if (choices && !choices.some((choice) => JSON.stringify(choice) === JSON.stringify(value))) {
    return `must be one of ${choices.map((choice) => JSON.stringify(choice)).join(', ')}`
  }
  return undefined
}

function isOfType(value: unknown, type: FieldType): boolean {
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  if (type === 'integer') return Number.isInteger(value)
  return type === 'number' ? Number.isFinite(value) : typeof value === type
}

/** The JSON Schema of a tool's fields: keys in the order of the configuration format. */
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
