/** A sample value that a schema probably accepts. */
import type { JsonSchema } from 'ftl-contract'

/** Schemas without references are not nested deeper than this in practice. */
const MAX_DEPTH = 8

/**
 * Includes every property of a schema, so that checking the sample runs most of the schema's code. The sample may be
 * invalid: patterns and references are not followed.
 */
export function sampleOf(schema: unknown, depth = 0): unknown {
  if (typeof schema !== 'object' || schema === null || depth > MAX_DEPTH) return {}
  const { type, properties, items, enum: values, anyOf, oneOf, ...rest } = schema as JsonSchema
  if (Array.isArray(values)) return values[0]
  if ('const' in rest) return rest['const']
  const forms = anyOf ?? oneOf
  if (Array.isArray(forms)) return sampleOf(forms[0], depth + 1)
  switch (Array.isArray(type) ? type[0] : type) {
    case 'string':
      return 'a'.repeat(Math.min(Number(rest['minLength'] ?? 1), 1000))
    case 'number':
    case 'integer':
      return rest['minimum'] ?? 1
    case 'boolean':
      return true
    case 'null':
      return null
    case 'array':
      return [sampleOf(items, depth + 1)]
    default:
      return Object.fromEntries(
        Object.entries(properties ?? {}).map(([name, part]) => [name, sampleOf(part, depth + 1)]),
      )
  }
}

/**
 * Checks sample arguments twice, because the engine optimises code that runs a second time. The checks are not awaited:
 * without a host, an author's check may never settle.
 */
export function rehearsal(check: (args: unknown) => unknown, jsonSchema: unknown): () => void {
  return () => {
    const attempt = async () => check(sampleOf(jsonSchema))
    for (let times = 0; times < 2; times++) attempt().catch(() => undefined)
  }
}
