/** Do the arguments fit the schema the tool published, and does its answer? */
import type { JsonSchema } from 'ftl-contract'
import type { SchemaSubject } from '../schema/validation-state.ts'
import { type BrokenRule, validate } from '../schema/validate.ts'

export { UnusableSchema } from '../schema/validation-state.ts'

/** One rule that one value breaks: where (`size.width`, `items[0]`, empty for the root) and what. */
export type ArgumentError = BrokenRule

export interface ArgumentValidator {
  /**
   * @param subject which schema of the tool it is. @default 'inputSchema'
   * @returns every rule broken; empty when the value fits.
   * @throws {UnusableSchema}
   */
  validate(schema: JsonSchema, value: unknown, subject?: SchemaSubject): ArgumentError[]
}

/** JSON Schema, the dialects from draft 6 to 2020-12. */
export const schemaValidator: ArgumentValidator = {
  validate: (schema, value, subject = 'inputSchema') => validate(schema, value, subject),
}
