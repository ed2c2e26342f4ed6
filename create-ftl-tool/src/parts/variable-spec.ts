/** Short forms for declarations of variables. */
import type { VariableSpec } from '../template.ts'

export const variable = (description: string, value = ''): VariableSpec => ({
  default: value,
  description,
})

export const secret = (description: string): VariableSpec => ({
  default: '',
  secret: true,
  description,
})

/** The declarations of these names. @throws {Error} for a name without one. */
export function picked(
  from: Readonly<Record<string, VariableSpec>>,
  names: readonly string[],
): Record<string, VariableSpec> {
  return Object.fromEntries(
    names.map((name) => {
      const spec = Object.hasOwn(from, name) ? from[name] : undefined
      if (!spec) throw new Error(`there is no declaration of ${name}`)
      return [name, spec]
    }),
  )
}

/** Variables of a component, each with the variable of the application of the same name. */
export const bindings = (names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, `{{ ${name} }}`]))
