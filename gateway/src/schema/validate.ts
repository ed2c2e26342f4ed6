/**
 * Does a value fit a JSON Schema?
 *
 * The schema is interpreted: nothing is compiled, because an instance lives for one request, and no code is
 * generated, because the engine does not allow it. Parts of the schema that do not apply to the value are not read.
 *
 * Nothing is fetched, and everything is bounded: {@link MAX_DEPTH}, {@link MAX_STEPS}, {@link MAX_FINDINGS}. A
 * value beyond them does not fit.
 *
 * @see https://json-schema.org/draft/2020-12
 */
import { check } from './check.ts'
import { fitsPlainly } from './fast-check.ts'
import {
  type Dialect,
  type Finding,
  MAX_FINDINGS,
  type Run,
  type Schema,
  type SchemaSubject,
  TooMuch,
  UnusableSchema,
} from './validation-state.ts'

/** One rule that one value breaks. */
export type BrokenRule = Pick<Finding, 'path' | 'message'>

/** The base of the addresses in a schema that has none of its own. */
const NO_ADDRESS = 'schema:/'

/**
 * @param subject the schema's name in the error for an unusable schema.
 * @returns every rule broken, at most {@link MAX_FINDINGS}; empty when the value fits.
 * @throws {UnusableSchema} as soon as the value touches what is wrong in the schema.
 */
export function validate(schema: Schema, value: unknown, subject?: SchemaSubject): BrokenRule[] {
  const dialect = dialectOf(schema.$schema)
  if (!dialect) {
    const name = JSON.stringify(schema.$schema)
    throw new UnusableSchema(`its $schema ${name} is not supported`, subject)
  }
  if (fitsPlainly(schema, value)) return []
  const findings: Finding[] = []
  const run: Run = {
    subject,
    dialect,
    findings,
    scope: { resource: { root: schema, uri: NO_ADDRESS } },
    patterns: new Map(),
    path: [],
    enough: MAX_FINDINGS,
    depth: 0,
    still: 0,
    steps: 0,
  }
  try {
    check(run, schema, value)
  } catch (error) {
    if (!(error instanceof TooMuch)) throw error
    findings.push({ path: '', message: error.message, level: 0 })
  }
  return findings.map(({ path, message }) => ({ path, message }))
}

/** The dialect of a schema that names none. */
export const NEWEST = 'https://json-schema.org/draft/2020-12/schema'
const DIALECT = /^https?:\/\/json-schema\.org\/draft(?:-(0[67])|\/(2019-09|2020-12))\/schema#?$/

/**
 * The dialect a schema names.
 *
 * @returns 2020 when `$schema` is absent, as MCP specifies; NaN when the dialect is not supported.
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic#json-schema-usage
 */
function dialectOf($schema: unknown): Dialect {
  // The second is what Zod writes.
  if ($schema === undefined || $schema === NEWEST) return 2020
  const [, draft, year] = (typeof $schema === 'string' && DIALECT.exec($schema)) || []
  return parseInt(draft ?? year ?? '')
}
