/** What a new component would get from the application: values of variables, and a name with a meaning. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import type { Manifest } from 'ftl-host'
import { CommandFailure } from '../terminal/failure.ts'
import type { Added } from './added-lock.ts'
import { variableOf } from './manifest-entry.ts'

/** A variable of the application that has a value or a user before the component is added. */
export interface Taken {
  /** Of the application. */
  variable: string
  /** To be read after "it". */
  effect: string
}

type Environment = Readonly<Record<string, string | undefined>>

export interface Wanted {
  id: string
  /** Names of the component's variables. */
  variables: readonly string[]
  /** What was accepted earlier. */
  before: Added | undefined
}

/** Variables that other components use, or that have a value. Those that the component itself brought are not among them. */
export function takenVariables(
  manifest: Manifest,
  { id, variables, before }: Wanted,
  env: Environment = process.env,
): Taken[] {
  return variables.flatMap((name): Taken[] => {
    const variable = variableOf(id, name)
    const users = usersOf(manifest, variable).filter((user) => user !== id)
    const declared = manifest.variables.get(variable)
    const secret = declared?.secret === true ? ', a secret' : ''
    const will = `will receive the value of ${variable}${secret}`
    if (users.length > 0)
      return [{ variable, effect: `${will}, which ${listed(users)} ${uses(users)} today` }]
    if (isOwn(manifest, { id, variables, before }, name)) return []
    if (declared)
      return [{ variable, effect: `${will}, which spin.toml has already and no component uses` }]
    const where = givenIn(manifest, variable, env)
    return where === undefined
      ? []
      : [{ variable, effect: `${will}, which has a value in ${where} already` }]
  })
}

/** Sentences about the variables that it brings, for the same list. */
export function broughtVariables({ id, variables }: Wanted, taken: readonly Taken[]): string[] {
  return variables
    .map((name) => variableOf(id, name))
    .filter((variable) => !taken.some((each) => each.variable === variable))
    .map((variable) => `will receive the value that you give to its variable ${variable}`)
}

/** @throws {CommandFailure} for a value that the user has not agreed to hand out. */
export function refuseTaken(id: string, taken: readonly Taken[], shared: readonly string[]): void {
  const [first, ...more] = taken.filter(({ variable }) => !shared.includes(variable))
  if (!first) return
  const flags = [first, ...more].map(({ variable }) => `--share ${variable}`).join(' ')
  throw new CommandFailure(
    `"${id}" ${[first, ...more].map(({ effect }) => effect).join('; it ')}. Nothing was changed. If it may have that, add ` +
      `${flags}. Otherwise choose another name for the component with --name.`,
  )
}

/** A variable that was accepted when the component was added, and is still its own. */
function isOwn({ components }: Manifest, { id, before }: Wanted, name: string): boolean {
  const bound = components.get(id)?.variables ?? {}
  return (
    (before?.reach.variables ?? []).includes(name) &&
    Object.hasOwn(bound, name) &&
    namesIn(bound[name] ?? '').includes(variableOf(id, name))
  )
}

const namesIn = (template: string): string[] =>
  [...template.matchAll(/\{\{\s*([a-z0-9_]+)\s*\}\}/g)].map(([, name = '']) => name)

/** Components whose variables, hosts or source have this variable of the application. */
function usersOf({ components }: Manifest, variable: string): string[] {
  return [...components.values()]
    .filter(({ variables, allowedOutboundHosts }) =>
      [...Object.values(variables), ...allowedOutboundHosts].some((text) =>
        namesIn(text).includes(variable),
      ),
    )
    .map(({ id }) => id)
}

/** A value that waits for a variable of this name: of a component that was removed, for example. */
export function givenIn(
  { folder }: Pick<Manifest, 'folder'>,
  variable: string,
  env: Environment,
): string | undefined {
  const key = `SPIN_VARIABLE_${variable.toUpperCase()}`
  if (env[key] !== undefined) return 'the environment'
  const file = join(folder, '.env')
  const values = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}
  return Object.hasOwn(values, key) ? '.env' : undefined
}

const listed = (ids: readonly string[]) =>
  ids.length < 2 ? ids.join('') : `${ids.slice(0, -1).join(', ')} and ${ids.at(-1)}`

const uses = (ids: readonly string[]) => (ids.length === 1 ? 'uses' : 'use')
