/** Each tool has the shared schemas that it refers to, and no other. One with `$defs` of its own has all. */
import { isNested, type JsonSchema } from 'ftl-contract'

const SHARED = '#/$defs/'

export function withDefinitions(
  schema: JsonSchema,
  shared: ReadonlyMap<string, JsonSchema>,
): JsonSchema {
  if (schema['$defs'] !== undefined) return schema
  const needed = new Map<string, JsonSchema>()
  // A list instead of recursion: the stack of a component's engine is small.
  const rest: unknown[] = [schema]
  while (rest.length > 0) {
    const value = rest.pop()
    if (!isNested(value)) continue
    for (const [key, part] of Object.entries(value)) {
      if (key !== '$ref' || typeof part !== 'string') rest.push(part)
      else if (part.startsWith(SHARED)) {
        const name = part.slice(SHARED.length)
        const definition = shared.get(name)
        if (needed.has(name) || !definition) continue
        needed.set(name, definition)
        rest.push(definition)
      }
    }
  }
  return needed.size === 0 ? schema : { ...schema, $defs: Object.fromEntries(needed) }
}
