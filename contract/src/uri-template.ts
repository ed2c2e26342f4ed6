/**
 * URI templates: which URIs a template matches, and the values of its variables.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6570
 */
import { ESCAPED_CHARACTER, LINE_ENDS, matchesParts } from './uri-template-match.ts'

/** The names of the variables: `'note://{day}/{+path}'` has `day` and `path`. */
export type TemplateVariables<Template extends string> =
  Template extends `${string}{${infer Name}}${infer Rest}`
    ? (Name extends `+${infer Bare}` ? Bare : Name) | TemplateVariables<Rest>
    : never

/** A template whose variables can be read from a URI. */
export interface UriTemplate {
  names: string[]
  /** The values of the variables, decoded; `undefined` if the URI does not match. */
  match(uri: string): Record<string, string> | undefined
}

/** `{name}` or `{+name}`: the only expressions whose values can be read. */
const VARIABLE = /^\{\+?([A-Za-z_]\w*)\}$/

/**
 * Parses a template of level 1 of the RFC, or with `{+path}` of level 2.
 *
 * @throws {TypeError} for every other expression.
 */
export function parseUriTemplate(template: string): UriTemplate {
  const names = splitUriTemplate(template).flatMap((part, index) => {
    if (index % 2 === 0) return []
    const name = VARIABLE.exec(part)?.[1]
    if (name !== undefined) return [name]
    throw new TypeError(`"${part}" in "${template}": write {name}, or {+name} for a whole path`)
  })
  const expression = toRegExp(template)
  return {
    names,
    match(uri) {
      const found = expression.exec(uri)
      if (!found) return undefined
      try {
        const values = names.map((name, index) => [
          name,
          decodeURIComponent(found[index + 1] ?? ''),
        ])
        return Object.fromEntries(values) as Record<string, string>
      } catch {
        // A `%` that no two hexadecimal digits follow.
        return undefined
      }
    },
  }
}

/** Characters of a URI that can come from a template. Longer ones do not get through proxies. */
const LONGEST_URI = 8_000

/**
 * Whether a URI can come from a template of any level.
 *
 * Literal parts must be equal, or percent-encoded where they are not ASCII. `{x}` matches characters other than `/`, `?` and `#`; `{x*}`
 * matches slashes, too, as FastMCP has it; `{+x}` and `{#x}` match any characters; `{/x}`, `{?x}`, `{.x}`, `{;x}` and `{&x}` may be
 * absent, and so may `{#x}`. An expression matches whole characters: `%C3%A9` is one. A URI of more than 8,000 characters matches none.
 */
export function matchesUriTemplate(template: string, uri: string): boolean {
  if (uri.length > LONGEST_URI) return false
  const open = template.indexOf('{')
  const beginning = open < 0 ? template : template.slice(0, open)
  // Most templates end here.
  if (!uri.startsWith(beginning) && /^[\x00-\x7f]*$/.test(beginning)) return false
  return matchesParts(splitUriTemplate(template), uri)
}

/** The parts of a template: literal text at even places, expressions with their braces at odd ones. */
export function splitUriTemplate(template: string): string[] {
  return template.split(/(\{[^{}]*\})/)
}

function toRegExp(template: string): RegExp {
  const parts = splitUriTemplate(template).map((part, index) =>
    index % 2 === 0 ? literalPattern(part) : patternOf(part),
  )
  return new RegExp(`^${parts.join('')}$`, 'u')
}

/** Clients write characters beyond ASCII as they are or, by section 3.1 of the RFC, percent-encoded. */
function literalPattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&').replace(/[^\x00-\x7f]+/g, (characters) => {
    try {
      return `(?:${characters}|${encodeURIComponent(characters)})`
    } catch {
      // Half of a surrogate pair.
      return characters
    }
  })
}

/** A group that captures the value of a variable, in whole characters: `%C3%A9` is one. */
function patternOf(variable: string): string {
  const ends = variable.startsWith('{+') ? LINE_ENDS : '/?#'
  return `((?:${ESCAPED_CHARACTER}|[^%${ends}])+)`
}
