/**
 * The JSON Schema of Zod schemas that do not say it themselves: Zod 3, Zod mini, and Zod 4 before 4.2.
 *
 * Their definitions are read; nothing of Zod is imported. What a client is shown is what the schema takes (its input
 * side). Where JSON Schema cannot say a rule, or not the same rule, the rule is left out, and only Zod checks it: what is
 * published never refuses what Zod takes. What no JSON value can be (a `Date`, a `Map`) is an error.
 *
 * @module
 */
import type { JsonSchema } from 'ftl-contract'
import type { Describe } from './parts.ts'
import { readZod3 } from './zod3.ts'
import { readZod4 } from './zod4.ts'

/** @throws {TypeError} naming the place and what cannot be said there. */
export function zodToJsonSchema(schema: object): JsonSchema {
  const under = new Map<unknown, string>()
  const describe: Describe = (part, path) => {
    const known = under.get(part)
    // It contains itself.
    if (known !== undefined) return { $ref: known }
    under.set(part, path)
    const described = isZod4(part) ? readZod4(part, path, describe) : readZod3(part, path, describe)
    under.delete(part)
    return described
  }
  return describe(schema, '#')
}

function isZod4(schema: unknown): boolean {
  return typeof schema === 'object' && schema !== null && '_zod' in schema
}
