/**
 * Which components of a manifest `ftl build` makes: those that name their entry under `[component.X.tool.ftl]`.
 *
 * @module
 */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { loadManifest, type Manifest, type ManifestOptions } from 'ftl-host'
import type { BuildTarget } from './build/index.ts'
import { CommandFailure } from './failure.ts'

export interface Application {
  manifest: Manifest
  targets: BuildTarget[]
  /** Folder for everything that can be made again: built components, prepared modules. */
  cacheFolder: string
  /** Folder of what the stand-in services keep between two starts. */
  stateFolder: string
}

/**
 * @param from `spin.toml`, or the folder it is in.
 * @param ids builds only these components. @default all
 * @throws {CommandFailure} naming the component and key that is wrong.
 */
export async function loadApplication(
  from: string,
  ids: readonly string[] = [],
  { profile }: ManifestOptions = {},
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
    const entry = component.tool['ftl']?.['entry']
    if (entry === undefined || (ids.length > 0 && !ids.includes(component.id))) continue
    const where = `[component.${component.id}.tool.ftl]`
    if (typeof entry !== 'string') throw new CommandFailure(`${where} entry must be a path`)
    const absolute = resolve(manifest.folder, entry)
    if (!existsSync(absolute)) throw new CommandFailure(`${where} entry: there is no ${absolute}`)
    if (typeof component.source !== 'string') {
      throw new CommandFailure(
        `[component.${component.id}] source must be a local path to be built`,
      )
    }
    targets.push({
      id: component.id,
      entry: absolute,
      output: resolve(manifest.folder, component.source),
    })
  }
  return {
    manifest,
    targets,
    cacheFolder: join(manifest.folder, '.ftl', 'cache'),
    stateFolder: join(manifest.folder, '.ftl', 'state'),
  }
}
