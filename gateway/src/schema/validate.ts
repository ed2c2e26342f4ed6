/**
 * Does a value fit a JSON Schema?
 *
 * The schema is interpreted: nothing is compiled, because an instance lives for one request, and no code is
 * generated, because the engine does not allow it. What the value does not touch is not looked at.
 *
 * Nothing is fetched, and everything is bounded: {@link MAX_DEPTH}, {@link MAX_STEPS}, {@link MAX_FINDINGS}. A
 * value beyond them does not fit.
 *
 * @see https://json-schema.org/draft/2020-12
 */
import { check } from './check.ts'
import { dialectOf } from './dialect.ts'
import { fitsPlainly } from './plain.ts'
import { type Finding, MAX_FINDINGS, type Run, type Schema, TooMuch } from './run.ts'
import { type SchemaSubject, UnusableSchema } from './unusable-schema.ts'

/** One rule that one value breaks. */
export type BrokenRule = Pick<Finding, 'path' | 'message'>

/** The base of the addresses in a schema that has none of its own. */
const NO_ADDRESS = 'schema:/'

/**
 * @param subject how the schema is called in the error that says it cannot be used.
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
