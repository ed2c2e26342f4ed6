/** What the definitions of Zod 3 and Zod 4 have in common. */
import type { JsonSchema } from 'ftl-contract'

/** Describes a part of a schema, by the path it has in the document. */
export type Describe = (part: unknown, path: string) => JsonSchema

/** @throws {TypeError} always. */
export function cannotSay(what: string, path: string): never {
  const place = path.replace(/^#\/?/, '') || 'the root'
  throw new TypeError(`${what} at ${place} has no form in JSON`)
}

/** A definition of unknown version, looked at with care. */
export type Definition = Record<string, unknown>

/** The literal's own schema: its type, and that it is nothing else. */
export function literal(values: readonly unknown[], path: string): JsonSchema {
  if (
    !values.every(
      (value) => value === null || ['string', 'number', 'boolean'].includes(typeof value),
    )
  ) {
    return cannotSay('a literal', path)
  }
  const types = [...new Set(values.map((value) => (value === null ? 'null' : typeof value)))]
  const [type] = types
  return {
    ...(types.length === 1 && { type }),
    ...(values.length === 1 ? { const: values[0] } : { enum: values }),
  }
}

/** Several patterns are all to match; one that ignores case or the like cannot be said. */
export function patterns(expressions: readonly RegExp[]): JsonSchema {
  const sources = expressions
    .filter(({ flags }) => !/[ims]/.test(flags))
    .map(({ source }) => source)
  if (sources.length < 2) return sources.length === 1 ? { pattern: sources[0] } : {}
  return { allOf: sources.map((pattern) => ({ pattern })) }
}

/** The values of an `enum`; TypeScript's numeric ones list their names too. */
export function enumValues(entries: Record<string, unknown>): unknown[] {
  const numbers = Object.values(entries).filter((value) => typeof value === 'number')
  return Object.entries(entries)
    .filter(([name]) => !numbers.includes(Number(name)))
    .map(([, value]) => value)
}

/** Its type, when all are of one. */
export function enumeration(values: readonly unknown[]): JsonSchema {
  const types = new Set(values.map((value) => typeof value))
  return { ...(types.size === 1 && { type: [...types][0] }), enum: values }
}

/** In short, where a type is all that is asked for. */
export function nullable(schema: JsonSchema): JsonSchema {
  return typeof schema['type'] === 'string' && Object.keys(schema).length === 1
    ? { type: [schema['type'], 'null'] }
    : { anyOf: [schema, { type: 'null' }] }
}
