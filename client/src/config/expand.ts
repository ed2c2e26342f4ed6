import { ConfigError } from '../errors.ts'

export type Variables = Readonly<Record<string, string | undefined>>

/** `${NAME}`, `${NAME:-default}`, `${env:NAME}` and what other programs know besides, `${input:key}` for example. */
const REFERENCE = /\$\{([^}]*)\}/g
const NAME = /^(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s

/**
 * `text` with the variables it refers to.
 *
 * A variable that is not there is an error and not an empty string: a token that is silently empty is an afternoon of
 * looking for the reason of a 401.
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
    const value = fallback === undefined ? variables[name] : variables[name] || fallback
    if (value === undefined) {
      throw new ConfigError(field, `the environment variable ${name} is not set`)
    }
    return value
  })
}
