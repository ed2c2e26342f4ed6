/** Values of the variables of an application and of its components. */
import { join } from 'node:path'
import type { Manifest } from '../manifest/manifest.ts'
import {
  type Environment,
  environmentName,
  type Lookup,
  lookupOf,
  type VariablesProvider,
} from './provider.ts'
import { parseTemplate } from '../manifest/template.ts'
import { VariableError } from './variable-error.ts'

const NAME = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/

/** Required variables have no value; the application must not start. */
export class MissingVariablesError extends Error {
  override readonly name = 'MissingVariablesError'
  readonly variables: readonly string[]

  constructor(variables: readonly string[]) {
    const names = variables.map((name) => `"${name}" (${environmentName(name)})`).join(', ')
    super(`required variables have no value: ${names}`)
    this.variables = variables
  }
}

/** A value is given for a variable that the manifest does not declare. */
export class UndeclaredVariableError extends Error {
  override readonly name = 'UndeclaredVariableError'
  readonly variable: string
  readonly manifest: Manifest

  constructor(variable: string, manifest: Manifest) {
    super(`there is no variable "${variable}" in [variables] of ${manifest.file}`)
    this.variable = variable
    this.manifest = manifest
  }
}

export interface VariablesOptions {
  /** Wins over everything else. */
  overrides?: Readonly<Record<string, string>>
  /** Those of the runtime configuration; they win over the environment. */
  providers?: readonly VariablesProvider[]
  env?: Environment
  /** Folders whose `.env` is read; the first one that has a value for a name wins. */
  folders?: readonly string[]
  /** Takes a variable without a value as empty, for a command that runs nothing. @default false */
  partial?: boolean
}

/** Values of an application’s variables, from the command line to the default. */
export class Variables {
  readonly #manifest: Manifest
  readonly #lookups: readonly Lookup[]

  /**
   * @throws {MissingVariablesError}
   * @throws {UndeclaredVariableError} when an override names a variable the manifest does not have.
   */
  constructor(
    manifest: Manifest,
    {
      overrides = {},
      providers = [],
      env = {},
      folders = [manifest.folder],
      partial = false,
    }: VariablesOptions = {},
  ) {
    this.#manifest = manifest
    const files = folders.map((folder) => join(folder, '.env'))
    this.#lookups = [
      { type: 'static' as const, values: overrides },
      ...providers,
      ...[undefined, ...files].map((dotenvFile): VariablesProvider => ({
        type: 'env',
        prefix: 'SPIN_VARIABLE',
        dotenvFile,
      })),
    ].map((provider) => lookupOf(provider, env))
    for (const name of Object.keys(overrides)) {
      if (manifest.variables.has(name)) continue
      throw new UndeclaredVariableError(name, manifest)
    }
    const missing = [...manifest.variables.keys()].filter((name) => this.#find(name) === undefined)
    if (missing.length > 0 && !partial) throw new MissingVariablesError(missing)
  }

  /**
   * The value a component gets for a name in its `[component.X.variables]`.
   *
   * @throws {VariableError}
   */
  get(component: string, name: string): string {
    if (!NAME.test(name)) {
      throw new VariableError('invalid-name', `"${name}" is not a lower_snake_case name`)
    }
    const { variables = {} } = this.#manifest.components.get(component) ?? {}
    // `constructor` is a valid name.
    const template = Object.hasOwn(variables, name) ? variables[name] : undefined
    if (template === undefined) {
      throw new VariableError('undefined', `component "${component}" has no variable "${name}"`)
    }
    return this.resolve(template)
  }

  /** Replaces expressions by their values. */
  resolve(template: string): string {
    return parseTemplate(template)
      .map((part) => ('text' in part ? part.text : (this.#find(part.variable) ?? '')))
      .join('')
  }

  /** The values of `names`; empty for a name without a value. */
  values(names: Iterable<string>): Record<string, string> {
    return Object.fromEntries([...names].map((name) => [name, this.#find(name) ?? '']))
  }

  #find(name: string): string | undefined {
    for (const lookup of this.#lookups) {
      const value = lookup(name)
      if (value !== undefined) return value
    }
    return this.#manifest.variables.get(name)?.default
  }
}

/** Names of `[variables]` that components use, in their own variables or for the hosts they may call. */
export function usedVariables({ components }: Manifest): Set<string> {
  const templates = [...components.values()].flatMap(({ variables, allowedOutboundHosts }) => [
    ...Object.values(variables),
    ...allowedOutboundHosts,
  ])
  const parts = templates.flatMap((template) => parseTemplate(template))
  return new Set(parts.flatMap((part) => ('variable' in part ? [part.variable] : [])))
}
