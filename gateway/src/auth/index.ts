/**
 * The variables of authentication as the gateway reads them, for programs that check a configuration before it is used.
 *
 * @module
 */
import { isObject } from 'ftl-contract'
import { ConfigurationError, type Parse, type VariableReader } from 'ftl-http'
import { authVariables } from './auth-settings.ts'
import { readIntrospection } from './introspection.ts'
import { type Issuer, issuers } from './issuers.ts'

export { metadataUrls } from './issuer-metadata.ts'
export { isOfComponent, type Issuer } from './issuers.ts'
export { ALGORITHMS, publicJwk } from './jwk.ts'

/** What is wrong with each unusable variable; never its value. */
export function authProblems(variables: VariableReader): ConfigurationError[] {
  const problems: ConfigurationError[] = []
  for (const [variable, parse] of Object.values<readonly [string, Parse<unknown>, ...unknown[]]>(
    authVariables,
  )) {
    const text = variables.get(variable)?.trim() ?? ''
    try {
      const value = parse(text, (problem) => {
        throw new ConfigurationError(variable, problem)
      })
      // Lists are parsed when they are first asked for.
      if (isObject(value)) void value['list']
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error
      problems.push(error)
    }
  }
  try {
    const text = variables.get('auth_introspection')?.trim() ?? ''
    if (text !== '') readIntrospection(text)
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    problems.push(error)
  }
  return problems
}

/** @throws {ConfigurationError} */
export function readIssuers(text: string): Issuer[] {
  return issuers(text.trim(), (problem) => {
    throw new ConfigurationError('auth_issuers', problem)
  })
}
