/** `[component.X.profile.P]`: what `--profile P` changes. */
import type { ComponentSource } from './manifest.ts'
import { readSource } from './source.ts'
import type { Table } from './table.ts'

export interface ProfileOverrides {
  source?: ComponentSource
  /** Added to the component's own. */
  environment?: Record<string, string>
  command?: string[]
}

/**
 * Checks all profiles and gives the overrides of one; a component that does not have it stays as it is.
 *
 * @param profiles the component's table `profile`.
 */
export function readProfile(profiles: Table, wanted: string | undefined): ProfileOverrides {
  let chosen: ProfileOverrides = {}
  for (const name of profiles.keys()) {
    const overrides = readOverrides(profiles.table(name))
    if (name === wanted) chosen = overrides
  }
  return chosen
}

function readOverrides(table: Table): ProfileOverrides {
  const build = table.optionalTable('build')
  if (table.table('dependencies').keys().length > 0) {
    throw table.error('dependencies', 'is not supported by this host')
  }
  const overrides: ProfileOverrides = {
    ...(table.has('source') && { source: readSource(table) }),
    environment: table.stringTable('environment'),
    ...(build && { command: readCommand(build) }),
  }
  build?.done()
  table.done()
  return overrides
}

/** The commands of a build, of which the manifest may write a single one without a list. */
export function readCommand(build: Table): string[] {
  const command = build.raw('command')
  return typeof command === 'string' ? [command] : build.strings('command')
}
