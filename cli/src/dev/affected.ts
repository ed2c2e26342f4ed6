/** Maps changed files to work: which components must be built, and whether the application must be reloaded. */
import type { ComponentManifest } from 'ftl-host'
import { dirname, matchesGlob, relative, resolve } from 'node:path'
import { isInstalled, placesOfPackages } from './installed.ts'
import type { Application } from '../application/load-application.ts'
import { type ForeignComponent, foreignComponents } from '../foreign/foreign-components.ts'

export interface Affected {
  /** Whether `spin.toml` or `.env` has changed. */
  manifest: boolean
  /** Ids of components that `ftl` must build. */
  components: string[]
  foreign: ForeignComponent[]
  /** Whether a `.wasm` without a build command or entry has changed. */
  sources: boolean
}

/** `.wasm` files built elsewhere. Excludes those with a build command, because they change while it runs. */
function plainSources({ manifest }: Application): string[] {
  const isPlain = ({ build, tool }: ComponentManifest) =>
    build === undefined &&
    tool['ftl']?.['entry'] === undefined &&
    tool['ftl']?.['members'] === undefined
  return [...manifest.components.values()].flatMap((component) =>
    typeof component.source === 'string' && isPlain(component)
      ? [resolve(manifest.folder, component.source)]
      : [],
  )
}

export interface Watched {
  files: string[]
  trees: string[]
}

/** @param inputs source files of each component, as far as they are known. */
export function watchedBy(
  application: Application,
  inputs: ReadonlyMap<string, readonly string[]>,
  failed: ReadonlySet<string> = new Set(),
): Watched {
  const { manifest, targets } = application
  const sources = [...inputs].flatMap(([id, files]) =>
    failed.has(id) ? files : files.filter((file) => !file.includes('/node_modules/')),
  )
  return {
    files: [
      manifest.file,
      resolve(manifest.folder, '.env'),
      ...targets.map(({ entry }) => entry),
      ...sources,
      ...targets.flatMap(({ id, entry }) =>
        placesOfPackages(entry, manifest.folder, failed.has(id)),
      ),
      ...plainSources(application),
    ],
    trees: [
      // Detects new files that an import already names. Installed packages are skipped, because they do not change.
      ...targets
        .map(({ entry }) => dirname(entry))
        .filter((folder) => !folder.includes('/node_modules/')),
      ...foreignComponents(application).flatMap(({ folder, watch }) =>
        watch.map((glob) => resolve(folder, fixedPart(glob))),
      ),
    ],
  }
}

/**
 * @param failed components that could not be built: a change of any file near their entry may fix them.
 */
export function affectedBy(
  changed: ReadonlySet<string>,
  application: Application,
  inputs: ReadonlyMap<string, readonly string[]>,
  failed: ReadonlySet<string> = new Set(),
): Affected {
  const { manifest, targets } = application
  const components = targets.filter(({ id, entry }) => {
    const own = inputs.get(id)
    const near = own === undefined || failed.has(id)
    const tree = `${dirname(entry)}/`
    return [...changed].some(
      (path) =>
        path === entry ||
        own?.includes(path) ||
        // The folder of an entry that is not there yet can be created, too.
        (near && (path.startsWith(tree) || tree.startsWith(`${path}/`))) ||
        isInstalled(path, entry, failed.has(id)),
    )
  })
  const settings = [manifest.file, resolve(manifest.folder, '.env')]
  return {
    manifest: settings.some((file) => changed.has(file)),
    components: components.map(({ id }) => id),
    foreign: foreignComponents(application).filter(({ folder, watch }) =>
      [...changed].some((path) => watch.some((glob) => matchesGlob(relative(folder, path), glob))),
    ),
    sources: plainSources(application).some((path) => changed.has(path)),
  }
}

/** The folders of a glob before its first wildcard. */
function fixedPart(glob: string): string {
  const parts = glob.split('/')
  const wild = parts.findIndex((part) => /[*?[{]/.test(part))
  return parts.slice(0, wild < 0 ? -1 : wild).join('/') || '.'
}
