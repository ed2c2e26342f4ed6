/** Which credentials an API wants, and the variables that have them. */
import type { ApiCredential } from 'ftl-contract'
import { CommandFailure } from '../terminal/failure.ts'
import { HEADER_NAME } from './arguments.ts'
import { variableName } from './names.ts'
import { type Fields, listOf, type References, textOf } from './references.ts'
import { brief } from './text.ts'

export type Credentials = Map<string, ApiCredential>

/** Of `--auth`. */
export const OWN = 'auth'

/** @param component its name is the beginning of each variable's. */
export function credentialsOf(
  references: References,
  document: Fields,
  component: string,
): Credentials {
  const schemes = references.fields(references.fields(document['components'])['securitySchemes'])
  const found: Credentials = new Map()
  for (const [name, scheme] of Object.entries(schemes)) {
    const credential = credentialOf(references.fields(scheme), variableName(component, name))
    if (credential) found.set(name, credential)
  }
  return found
}

function credentialOf(scheme: Fields, variable: string): ApiCredential | undefined {
  const { type, in: place } = scheme
  const name = textOf(scheme['name'])
  switch (type) {
    case 'apiKey':
      if (name === undefined || !isPlace(place)) return undefined
      if (place === 'header' && !HEADER_NAME.test(name)) return undefined
      return { in: place, name, variable }
    case 'http': {
      const kind = textOf(scheme['scheme'])?.toLowerCase()
      if (kind === 'basic') return basic(variable)
      return kind === 'bearer' ? bearer(variable) : undefined
    }
    // The operator gets the token: who signs in at the gateway is not who has an account at the API.
    case 'oauth2':
    case 'openIdConnect':
      return bearer(variable)
    default:
      return undefined
  }
}

const isPlace = (value: unknown): value is 'header' | 'query' | 'cookie' =>
  value === 'header' || value === 'query' || value === 'cookie'

const bearer = (variable: string): ApiCredential => ({
  ...{ in: 'header', name: 'authorization', prefix: 'Bearer ' },
  variable,
})

const basic = (variable: string): ApiCredential => ({
  in: 'basic',
  username: `${variable}_username`,
  password: `${variable}_password`,
})

/** @throws {CommandFailure} */
export function ownCredential(auth: string, component: string): ApiCredential {
  const variable = variableName(component, 'token')
  if (auth === 'bearer') return bearer(variable)
  if (auth === 'basic') return basic(variableName(component))
  const [, place, name = ''] = /^(header|query|cookie):([!#$%&'*+.^_`|~\w-]+)$/.exec(auth) ?? []
  if (isPlace(place)) return { in: place, name, variable }
  throw new CommandFailure(
    `--auth must be one of bearer, basic, header:NAME, query:NAME, cookie:NAME, and is ${JSON.stringify(auth)}`,
  )
}

/**
 * The alternatives of an operation, without those that cannot be sent.
 *
 * @returns the schemes it needs and cannot have, where that leaves none.
 */
export function securityOf(
  references: References,
  given: unknown,
  credentials: Credentials,
): { security: string[][] } | { missing: string } {
  const all = listOf(references, given).map((each) => Object.keys(each))
  const usable = all.filter(
    (names) => names.length > 0 && names.every((name) => credentials.has(name)),
  )
  const isOptional = all.length === 0 || all.some((names) => names.length === 0)
  if (usable.length > 0 || isOptional) return { security: usable }
  return { missing: [...new Set(all.flat())].filter((name) => !credentials.has(name)).join(', ') }
}

/** Variables and what each is for, for `spin.toml`. */
export function variablesFor(
  credentials: Iterable<ApiCredential>,
  title: string,
): Map<string, string> {
  const found = new Map<string, string>()
  for (const each of credentials) {
    if (each.in === 'basic') {
      found.set(each.username, `User name at ${title}`)
      found.set(each.password, `Password at ${title}`)
    } else if (each.prefix !== undefined) {
      found.set(each.variable, `Access token of ${title}`)
    } else {
      found.set(each.variable, `Value of the ${each.in} ${brief(each.name, 60)} of ${title}`)
    }
  }
  return found
}
