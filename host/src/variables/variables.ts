/**
 * Values of an application's variables and of its components'.
 *
 * @module
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import type { Manifest } from '../manifest/manifest.ts'
import { parseTemplate } from './template.ts'
import { VariableError } from './variable-error.ts'

const NAME = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/

/** Required variables nobody gave a value; the application must not start. */
export class MissingVariablesError extends Error {
  override readonly name = 'MissingVariablesError'
  readonly variables: readonly string[]

  constructor(variables: readonly string[]) {
    const names = variables.map((name) => `"${name}" (${environmentName(name)})`).join(', ')
    super(`required variables have no value: ${names}`)
    this.variables = variables
  }
}

export interface VariablesOptions {
  /** Wins over everything else. */
  overrides?: Readonly<Record<string, string>>
  env?: Readonly<Record<string, string | undefined>>
  /** Folders whose `.env` is read; the first one that has a name wins. */
  folders?: readonly string[]
}

const environmentName = (name: string) => `SPIN_VARIABLE_${name.toUpperCase()}`

export class Variables {
  readonly #manifest: Manifest
  readonly #overrides: Readonly<Record<string, string>>
  readonly #env: Readonly<Record<string, string | undefined>>
  readonly #dotenv: Readonly<Record<string, string | undefined>>

  /**
   * @throws {MissingVariablesError}
   * @throws {Error} when an override names a variable the manifest does not have.
   */
  constructor(
    manifest: Manifest,
    { overrides = {}, env = {}, folders = [manifest.folder] }: VariablesOptions = {},
  ) {
    this.#manifest = manifest
    this.#overrides = overrides
    this.#env = env
    this.#dotenv = readDotenv(folders)
    for (const name of Object.keys(overrides)) {
      if (manifest.variables.has(name)) continue
      throw new Error(`there is no variable "${name}" in [variables] of ${manifest.file}`)
    }
    const missing = [...manifest.variables.keys()].filter((name) => this.#find(name) === undefined)
    if (missing.length > 0) throw new MissingVariablesError(missing)
  }

  /**
   * What a component gets for a name of its own `[component.X.variables]`; resolved at each call, because
   * the environment may change.
   *
   * @throws {VariableError}
   */
  get(component: string, name: string): string {
    if (!NAME.test(name)) {
      throw new VariableError('invalid-name', `"${name}" is not a lower_snake_case name`)
    }
    const template = this.#manifest.components.get(component)?.variables[name]
    if (template === undefined) {
      throw new VariableError('undefined', `component "${component}" has no variable "${name}"`)
    }
    return this.resolve(template)
  }

  /** Puts values in the place of expressions. */
  resolve(template: string): string {
    return parseTemplate(template)
      .map((part) => ('text' in part ? part.text : (this.#find(part.variable) ?? '')))
      .join('')
  }

  #find(name: string): string | undefined {
    const key = environmentName(name)
    return (
      this.#overrides[name] ??
      this.#env[key] ??
      this.#dotenv[key] ??
      this.#manifest.variables.get(name)?.default
    )
  }
}

function readDotenv(folders: readonly string[]): Record<string, string | undefined> {
  const files = folders.map((folder) => join(folder, '.env')).filter((file) => existsSync(file))
  return Object.assign(
    {},
    ...files.reverse().map((file) => parseEnv(readFileSync(file, 'utf8'))),
  ) as Record<string, string | undefined>
}
