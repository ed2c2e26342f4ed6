/** The syntax of configuration files: JSON with comments, and references to environment variables. */
import { ConfigError } from '../errors.ts'

/** Strings are kept; comments and commas before a closing bracket are what is looked for. */
const TOKENS =
  /"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\/|,(?=(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*[}\]])/g

/**
 * JSON as editors write it, with comments and trailing commas: VS Code allows both in its `mcp.json`.
 *
 * @throws {SyntaxError} of `JSON.parse`; positions are those of `text`, because what is taken out leaves spaces.
 */
export function parseJsonc(text: string): unknown {
  return JSON.parse(
    text
      .replace(/^\uFEFF/, '')
      .replace(TOKENS, (token) => (token.startsWith('"') ? token : token.replace(/[^\n]/g, ' '))),
  )
}

export type Variables = Readonly<Record<string, string | undefined>>

/** `${NAME}`, `${NAME:-default}`, `${env:NAME}` and what other programs know besides, `${input:key}` for example. */
const REFERENCE = /\$\{([^}]*)\}/g
const NAME = /^(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s

/**
 * `text` with the variables it refers to.
 *
 * A variable that is not set is an error instead of an empty string: a server that receives an empty token answers with
 * a 401 whose cause is hard to find.
 *
 * @param field where the text stands, for the message.
 * @throws {ConfigError}
 */
export function expand(text: string, variables: Variables, field: string): string {
  return text.replace(REFERENCE, (whole, reference: string) => {
    const [, name, fallback] = NAME.exec(reference) ?? []
    if (name === undefined) {
      throw new ConfigError(
        field,
        `${whole} cannot be filled in here; use \${env:NAME}, \${NAME} or \${NAME:-default}`,
      )
    }
    // As a shell has it: the default also stands in for a variable that is empty.
    const given = Object.hasOwn(variables, name) ? variables[name] : undefined
    const value = fallback === undefined ? given : given || fallback
    if (value === undefined) {
      throw new ConfigError(field, `the environment variable ${name} is not set`)
    }
    return value
  })
}
