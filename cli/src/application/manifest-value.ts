/** What a value in a manifest is while its variables are not set. */
import type { Manifest } from 'ftl-host'

/** The variable that a value is, and nothing else: `{{ name }}`. */
export function variableIn(value: string): string | undefined {
  return /^\{\{\s*([a-z0-9_]+)\s*\}\}$/.exec(value)?.[1]
}

/** @returns `undefined` for a variable without a default. */
export function valueOf(
  { variables }: Pick<Manifest, 'variables'>,
  value: string | undefined,
): string | undefined {
  const variable = value === undefined ? undefined : variableIn(value)
  return variable === undefined ? value : variables.get(variable)?.default
}
