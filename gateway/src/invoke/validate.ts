/**
 * Do the arguments fit the schema the tool published?
 *
 * The validator interprets the schema: nothing is compiled, because an instance lives for one request, and no
 * code is generated, because the engine does not allow it.
 *
 * @see https://json-schema.org/draft/2020-12
 * @module
 */
import { type SchemaDraft, Validator } from '@cfworker/json-schema'
import type { JsonSchema } from 'ftl-sdk/contract'
import { wordErrors } from './validation-words.ts'

/** One rule that one value breaks. */
export interface ArgumentError {
  /** Where, from the arguments object on: `size.width`, `items[0]`; empty for the object itself. */
  path: string
  /** The rule, for example `must be string`. */
  message: string
}

export interface ArgumentValidator {
  /**
   * @returns every rule broken; empty when the arguments fit.
   * @throws {UnusableSchema}
   */
  validate(schema: JsonSchema, args: unknown): ArgumentError[]
}

/** The published schema itself is wrong or says what cannot be checked here. The message is safe to show. */
export class UnusableSchema extends Error {
  override readonly name = 'UnusableSchema'
  constructor(problem: string) {
    super(`The tool's inputSchema cannot be used: ${problem}.`)
  }
}

export const schemaValidator: ArgumentValidator = {
  validate(schema, args) {
    const draft = draftOf(schema.$schema)
    let result
    try {
      result = new Validator(schema, draft, false).validate(args)
    } catch (error) {
      throw new UnusableSchema(problemOf(error))
    }
    return result.valid ? [] : wordErrors(result.errors)
  },
}

const DIALECTS: Readonly<Record<string, SchemaDraft>> = {
  'https://json-schema.org/draft/2020-12/schema': '2020-12',
  'https://json-schema.org/draft/2019-09/schema': '2019-09',
  'http://json-schema.org/draft-07/schema': '7',
  'http://json-schema.org/draft-06/schema': '7',
  'http://json-schema.org/draft-04/schema': '4',
}

function draftOf(dialect: unknown): SchemaDraft {
  if (dialect === undefined) return '2020-12'
  const draft = typeof dialect === 'string' ? DIALECTS[dialect.replace(/#$/, '')] : undefined
  if (draft === undefined) {
    throw new UnusableSchema(`its $schema ${JSON.stringify(dialect)} is not supported`)
  }
  return draft
}

// The library's own messages list every schema it knows; the client gets the kind of mistake.
function problemOf(error: unknown): string {
  if (error instanceof SyntaxError) return 'a pattern in it is not a regular expression'
  if (error instanceof RangeError) return 'it refers to itself without end'
  const message = error instanceof Error ? error.message : ''
  const [, ref] = /^Unresolved \$ref "([^"]*)"/.exec(message) ?? []
  return ref === undefined ? 'it is not a valid JSON Schema' : `its $ref "${ref}" leads nowhere`
}
