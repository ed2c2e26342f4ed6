/** The servers' lists as enums of `generate_image`, within limits: every client reads the description of every tool. */
import type { JsonSchema } from 'ftl-sdk'
import type { Choices } from './server-choices.ts'
import { MODEL_ARGUMENTS, type ModelArgument } from './workflow/model-inputs.ts'

/** Names in an enum. */
const MAX_NAMES = 100
/** Characters of all names of an enum. */
const MAX_LENGTH = 4_000

/** @param usable arguments that a render type can take; the others would only mislead. */
export function offerModels(
  properties: Record<string, JsonSchema>,
  usable: ReadonlySet<ModelArgument>,
  choices: Choices,
): void {
  for (const argument of MODEL_ARGUMENTS) {
    const schema = properties[argument]
    const names = choices[argument] ?? []
    // Without LoRAs there is nothing to choose from.
    if (!schema || !usable.has(argument) || (choices[argument] && names.length === 0)) {
      delete properties[argument]
      continue
    }
    properties[argument] =
      argument === 'loras' ? { ...schema, items: itemsOf(schema, names) } : limited(schema, names)
  }
}

function itemsOf({ items }: JsonSchema, names: string[]): JsonSchema {
  const item = items as JsonSchema
  const properties = item.properties as Record<string, JsonSchema>
  return { ...item, properties: { ...properties, name: limited(properties.name ?? {}, names) } }
}

function limited(schema: JsonSchema, names: string[]): JsonSchema {
  if (names.length === 0) return schema
  if (names.length <= MAX_NAMES && names.join('').length <= MAX_LENGTH) {
    return { ...schema, enum: names }
  }
  const about = String(schema.description)
  return { ...schema, description: `${about}. One of ${names.length}: list_models lists them` }
}
