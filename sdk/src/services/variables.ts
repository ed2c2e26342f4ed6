import type { ContextPlatform, ToolVariables } from '../tool/context.ts'
import { ConfigurationError } from '../tool/errors.ts'

export function variablesOf(
  { variables }: Pick<ContextPlatform, 'variables'>,
  component: string,
): ToolVariables {
  return {
    get: (name) => variables.get(name),
    require(name) {
      const value = variables.get(name)
      if (value !== undefined) return value
      throw new ConfigurationError(
        `the variable "${name}" is not set. Write in spin.toml:\n` +
          `  [variables]\n  ${name} = { required = true }\n` +
          `  [component.${component}.variables]\n  ${name} = "{{ ${name} }}"`,
      )
    },
  }
}
