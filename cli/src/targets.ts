/** Which components of a manifest `ftl build` makes: those that name their entry under `[component.X.tool.ftl]`. */
import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { keyHint, loadManifest, type Manifest, type ManifestOptions } from 'ftl-host'
import {
  type BuildTarget,
  DEFAULT_ENGINE,
  ENGINES,
  isEngine,
  type Withheld,
} from './build/index.ts'
import { resolveModule } from './build/resolve-module.ts'
import { CommandFailure } from './failure.ts'

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
    const entry = component.tool['ftl']?.['entry']
    if (entry === undefined || (ids.length > 0 && !ids.includes(component.id))) continue
    const where = `[component.${component.id}.tool.ftl]`
    if (typeof entry !== 'string' || entry === '') {
      throw new CommandFailure(`${where} entry must be a path or the name of a package`)
    }
    const absolute = await findEntry(entry, manifest.folder, where).catch((error: unknown) => {
      if (!withMissing) throw error
      return resolve(manifest.folder, entry)
    })
    if (typeof component.source !== 'string') {
      throw new CommandFailure(
        `[component.${component.id}] source must be a local path to be built`,
      )
    }
    const output = resolve(manifest.folder, component.source)
    const other = targets.find((target) => target.output === output && target.entry !== absolute)
    if (other) {
      throw new CommandFailure(
        `[component.${component.id}] source is ${component.source}, as that of [component.${other.id}], which is built of ` +
          `another entry: give it a file of its own, such as "dist/${component.id}.wasm"`,
      )
    }
    const engine = engineOf(component.tool['ftl']?.['engine'], where)
    const limit = computeLimitOf(component.tool['ftl']?.['compute_limit_ms'], engine, where)
    const intl = intlOf(component.tool['ftl']?.['intl'], engine, where)
    const compat = nodeCompatOf(component.tool['ftl']?.['node_compat'], where)
    targets.push({
      id: component.id,
      entry: absolute,
      output,
      ...engine,
      ...limit,
      ...intl,
      ...compat,
      ...withheldOf(manifest, component.source, engine),
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
const KEYS = ['entry', 'intl', 'engine', 'compute_limit_ms', 'node_compat', 'shared_stores']

/** @throws {CommandFailure} for a key that nothing reads: a component without an entry would silently not be built. */
function checkKeys(table: Readonly<Record<string, unknown>>, where: string): void {
  for (const key of Object.keys(table)) {
    if (KEYS.includes(key)) continue
    throw new CommandFailure(`${where} ${key} is not a key of this table${keyHint(key, KEYS)}`)
  }
}

/**
 * The engine that the key names, else the one that `FTL_ENGINE` names.
 *
 * @throws {CommandFailure} for a name that no engine has.
 */
function engineOf(key: unknown, where: string): Pick<BuildTarget, 'engine'> {
  const variable = process.env['FTL_ENGINE'] || undefined
  const name = key ?? variable
  if (name === undefined || name === DEFAULT_ENGINE) return {}
  if (isEngine(name)) return { engine: name }
  const what = key === undefined ? 'the environment variable FTL_ENGINE' : `${where} engine`
  throw new CommandFailure(`${what} must be one of ${ENGINES.join(', ')}`)
}

/** The most that the engine takes: ten minutes. */
const MOST_COMPUTING_MS = 600_000

/** @throws {CommandFailure} for a value that is not a number of milliseconds in range, and for an engine without a limit. */
function computeLimitOf(
  key: unknown,
  { engine = DEFAULT_ENGINE }: Pick<BuildTarget, 'engine'>,
  where: string,
): Pick<BuildTarget, 'computeLimitMs'> {
  if (key === undefined) return {}
  const isTime = typeof key === 'number' && Number.isInteger(key)
  if (!isTime || key < 1 || key > MOST_COMPUTING_MS) {
    throw new CommandFailure(
      `${where} compute_limit_ms must be a whole number of milliseconds, from 1 to ${MOST_COMPUTING_MS}`,
    )
  }
  if (engine !== 'quickjs') {
    throw new CommandFailure(
      `${where} compute_limit_ms has no effect with the engine ${engine}: remove it, or use quickjs`,
    )
  }
  return { computeLimitMs: key }
}

/** @throws {CommandFailure} for a value that is not a boolean, and for an engine that cannot have it. */
function intlOf(
  key: unknown,
  { engine = DEFAULT_ENGINE }: Pick<BuildTarget, 'engine'>,
  where: string,
): Pick<BuildTarget, 'intl'> {
  if (key === undefined) return {}
  if (typeof key !== 'boolean') {
    throw new CommandFailure(
      `${where} intl must be true or false. Without it, a component gets the parts of Intl that its code names`,
    )
  }
  if (key && engine !== 'quickjs') {
    throw new CommandFailure(
      `${where} intl has no effect with the engine ${engine}: remove it, or use quickjs`,
    )
  }
  return { intl: key }
}

/**
 * What no component with this file may use.
 *
 * StarlingMonkey has its own way to leave features out, which changes what programs see: it is built as before.
 */
function withheldOf(
  { components }: Manifest,
  source: string,
  { engine = DEFAULT_ENGINE }: Pick<BuildTarget, 'engine'>,
): Pick<BuildTarget, 'withheld'> {
  if (engine !== 'quickjs') return {}
  const same = [...components.values()].filter((each) => each.source === source)
  const withheld: Withheld[] = []
  if (same.every((each) => each.allowedOutboundHosts.length === 0)) {
    withheld.push('wasi:http/outgoing-handler')
  }
  if (same.every((each) => each.keyValueStores.length === 0))
    withheld.push('fermyon:spin/key-value')
  return withheld.length > 0 ? { withheld } : {}
}

/** @throws {CommandFailure} for a value that is not a boolean. */
function nodeCompatOf(key: unknown, where: string): Pick<BuildTarget, 'nodeCompat'> {
  if (key === undefined || key === false) return {}
  if (key !== true) throw new CommandFailure(`${where} node_compat must be true or false`)
  return { nodeCompat: true }
}

/** As npm takes names of packages, and a path inside after it. */
const PACKAGE = /^(@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*(\/.+)?$/i

/** A file of the manifest's folder, or else the module of an installed package. */
async function findEntry(entry: string, folder: string, where: string): Promise<string> {
  const absolute = resolve(folder, entry)
  const isFile = await stat(absolute).then(
    (found) => found.isFile(),
    () => false,
  )
  if (isFile) return absolute
  // A file that is not there is no package, however much its name looks like one.
  if (!PACKAGE.test(entry) || /\.[cm]?[jt]sx?$/.test(entry)) {
    throw new CommandFailure(
      `${where} entry: there is no ${absolute}; correct the path in spin.toml, or write the file`,
    )
  }
  const found = await resolveModule(entry, folder)
  if ('path' in found) return found.path
  const [name = ''] = /^(@[^/]+\/)?[^/]+/.exec(entry) ?? []
  throw new CommandFailure(
    `${where} entry: there is no file ${absolute}, and no package "${entry}": ${found.problem}\n` +
      `Run "npm install --save-dev ${name}" in ${folder}, or correct the entry.`,
  )
}
