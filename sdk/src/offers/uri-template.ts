/**
 * The variables of a uri template, and what they are in a uri.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6570 level 1, and `{+path}` of level 2
 */

/** `'note://{day}/{+path}'` has `day` and `path`. */
export type TemplateVariables<Template extends string> =
  Template extends `${string}{${infer Name}}${infer Rest}`
    ? (Name extends `+${infer Bare}` ? Bare : Name) | TemplateVariables<Rest>
    : never

export interface UriTemplate {
  names: string[]
  /** The variables of a uri, decoded; `undefined` for a uri of another form. */
  match(uri: string): Record<string, string> | undefined
}

const EXPRESSION = /\{(\+?)([A-Za-z_]\w*)\}/

/** @throws {TypeError} for expressions that are not known here. */
export function parseTemplate(template: string): UriTemplate {
  const names: string[] = []
  const pattern = template.split(/(\{[^{}]*\})/).map((part, index) => {
    if (index % 2 === 0) return part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    const [all, plus, name = ''] = EXPRESSION.exec(part) ?? []
    if (all !== part) {
      throw new TypeError(`"${part}" in "${template}": write {name}, or {+name} for a whole path`)
    }
    names.push(name)
    return plus ? '(.+)' : '([^/?#]+)'
  })
  const expression = new RegExp(`^${pattern.join('')}$`)
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
        // A lone `%`.
        return undefined
      }
    },
  }
}
