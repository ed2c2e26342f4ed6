/** Which components of a manifest `ftl build` makes: those that name their entry under `[component.X.tool.ftl]`. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { keyHint, loadManifest, type Manifest, type ManifestOptions } from 'ftl-host'
import type { BuildTarget } from '../build/index.ts'
import { buildKeys } from './build-keys.ts'
import { withheldOf } from './withheld-of.ts'
import { CommandFailure } from '../terminal/failure.ts'
import { featuresOf } from './features-of.ts'
import { findEntry } from './find-entry.ts'
import { serverOf } from './server-of.ts'
import { skillFolders } from '../skills/skill-folders.ts'
import { isGateway } from '../members/placed-names.ts'
import { readMembers } from '../members/read-members.ts'

export interface Application {
  manifest: Manifest
  targets: BuildTarget[]
  /** Folder for everything that can be made again: built components, prepared modules. */
  cacheFolder: string
  /** Folder of what the stand-in services keep between two starts. */
  stateFolder: string
}

export interface LoadOptions extends ManifestOptions {
  /** Takes an entry that is not there as a path: building it fails, and it may be written later. @default false */
  withMissing?: boolean
}

/**
 * @param from `spin.toml`, or the folder it is in.
 * @param ids builds only these components. @default all
 * @throws {CommandFailure} naming the component and key that is wrong.
 */
export async function loadApplication(
  from: string,
  ids: readonly string[] = [],
  { profile, withMissing = false }: LoadOptions = {},
): Promise<Application> {
  const path = resolve(from)
  const file = path.endsWith('.toml') ? path : join(path, 'spin.toml')
  if (!existsSync(file)) {
    throw new CommandFailure(
      `there is no ${file}; go to the application's folder or name it with --from`,
    )
  }
  const manifest = await loadManifest(file, { profile })
  for (const id of ids) {
    if (!manifest.components.has(id)) {
      const known = [...manifest.components.keys()].join(', ')
      throw new CommandFailure(`spin.toml has no component "${id}"; it has ${known}`)
    }
  }
  const targets: BuildTarget[] = []
  for (const component of manifest.components.values()) {
    checkKeys(component.tool['ftl'] ?? {}, `[component.${component.id}.tool.ftl]`)
    const table = component.tool['ftl'] ?? {}
    const { entry, members } = table
    if (ids.length > 0 && !ids.includes(component.id)) continue
    const where = `[component.${component.id}.tool.ftl]`
    const skills = skillFolders(table['skills'], manifest.folder, where)
    if (skills.length > 0 && entry === undefined) {
      throw new CommandFailure(`${where} skills need an entry: the component that serves them`)
    }
    if (entry === undefined && members === undefined) continue
    if (members === undefined && (typeof entry !== 'string' || entry === '')) {
      throw new CommandFailure(`${where} entry must be a path or the name of a package`)
    }
    const find = (path: string, place: string) =>
      findEntry(path, manifest.folder, place).catch((error: unknown) => {
        if (!withMissing) throw error
        return resolve(manifest.folder, path)
      })
    const several =
      members === undefined ? undefined : await readMembers(table, where, component, find)
    const absolute = several ? (several[0]?.entry ?? '') : await find(entry as string, where)
    if (typeof component.source !== 'string') {
      throw new CommandFailure(
        `[component.${component.id}] source must be a local path to be built`,
      )
    }
    const keys = buildKeys(table, where)
    const output = resolve(manifest.folder, component.source)
    const other = targets.find((target) => target.output === output && target.entry !== absolute)
    if (other) {
      throw new CommandFailure(
        `[component.${component.id}] source is ${component.source}, as that of [component.${other.id}], which is built of ` +
          `another entry: give it a file of its own, such as "dist/${component.id}.wasm"`,
      )
    }
    targets.push({
      id: component.id,
      entry: absolute,
      output,
      ...keys,
      ...withheldOf(manifest, component.source),
      ...featuresOf(manifest, component),
      ...(isGateway(component) && { server: serverOf(manifest) }),
      ...(several && { members: several }),
      ...(skills.length > 0 && { skills }),
    })
  }
  return {
    manifest,
    targets,
    cacheFolder: join(manifest.folder, '.ftl', 'cache'),
    stateFolder: join(manifest.folder, '.ftl', 'state'),
  }
}

/** The keys of `[component.X.tool.ftl]`; the host reads the last one. */
const KEYS = [
  'entry',
  'members',
  'skills',
  'intl',
  'compute_limit_ms',
  'node_compat',
  'shared_stores',
]

/** Of earlier versions: building the component says what to do, unless it names the only engine. */
const REMOVED = 'engine'

/** @throws {CommandFailure} for a key that nothing reads: a component without an entry would silently not be built. */
function checkKeys(table: Readonly<Record<string, unknown>>, where: string): void {
  for (const key of Object.keys(table)) {
    if (KEYS.includes(key) || key === REMOVED) continue
    throw new CommandFailure(`${where} ${key} is not a key of this table${keyHint(key, KEYS)}`)
  }
}
