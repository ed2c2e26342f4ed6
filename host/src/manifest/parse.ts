/** Reading a `spin.toml`, as strictly as Spin does. */
import { readFile, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { type ComponentContext, isComponentId, isVariableName, readComponent } from './component.ts'
import { type Manifest, ManifestError, type VariableDefinition } from './manifest.ts'
import { Table } from './table.ts'
import { parseToml } from './toml.ts'
import { readTrigger, triggerIds } from './trigger.ts'

/** Much more than thousands of components take. */
const MAX_BYTES = 16 * 1024 * 1024

/** How a manifest is read. */
export interface ManifestOptions {
  /** The build profile; one that no component has is an error, as in Spin. @default none */
  profile?: string | undefined
}

/**
 * Reads and checks a manifest.
 *
 * @param path `spin.toml`, or the folder it is in.
 * @throws {ManifestError} naming the file and the key.
 */
export async function loadManifest(path: string, options: ManifestOptions = {}): Promise<Manifest> {
  const given = resolve(path)
  const isFolder = await stat(given).then(
    (found) => found.isDirectory(),
    () => false,
  )
  const file = isFolder ? join(given, 'spin.toml') : given
  const about = await stat(file).catch(() => undefined)
  // A pipe or a device would be read for ever; `ftl dev` reads a manifest again while it is served.
  if (about && !about.isFile()) throw new ManifestError(file, '', 'must be a file')
  if (about && about.size > MAX_BYTES) {
    throw new ManifestError(file, '', `must have at most ${MAX_BYTES} bytes`)
  }
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === 'ENOENT' ? 'does not exist' : `cannot be read (${error.code})`
    throw new ManifestError(file, '', reason)
  })
  return parseManifest(text, file, options)
}

/**
 * Checks the text of a manifest.
 *
 * @param file its absolute path, for error messages and relative paths.
 * @throws {ManifestError} naming the file and the key.
 */
export function parseManifest(
  text: string,
  file: string,
  { profile }: ManifestOptions = {},
): Manifest {
  const root = new Table(parseToml(text, file), { file, path: '' })
  const version = root.raw('spin_manifest_version')
  if (version !== 2) {
    throw root.error('spin_manifest_version', version === undefined ? 'is missing' : 'must be 2')
  }
  const application = root.table('application')
  const name = application.string('name')
  application.ignore('targets')
  application.strings('authors')
  readApplicationTrigger(application)
  const variables = readVariables(root.table('variables'))
  const context = { variables: new Set(variables.keys()), profile }
  const components = readComponents(root.table('component'), context)
  checkProfile(root.table('component'), profile)
  const manifest: Manifest = {
    file,
    folder: dirname(file),
    application: {
      name,
      version: application.optionalString('version'),
      description: application.optionalString('description'),
    },
    tool: application.freeTables('tool'),
    variables,
    triggers: readTriggers(root.table('trigger'), components, context),
    components,
  }
  application.done()
  root.done()
  return manifest
}

// The base path of all routes went out of use with version 2; a manifest that relies on it is served wrongly.
function readApplicationTrigger(application: Table): void {
  const trigger = application.table('trigger')
  const http = trigger.table('http')
  const base = http.optionalString('base') ?? '/'
  if (base !== '/') throw http.error('base', "is deprecated: put it before each trigger's route")
  http.done()
}

function readVariables(table: Table): Map<string, VariableDefinition> {
  return new Map(
    table.keys().map((name) => {
      if (!isVariableName(name)) throw table.error(name, 'is not a lower_snake_case name')
      const definition = table.table(name)
      const value = definition.raw('default')
      if (value !== undefined && typeof value !== 'string') {
        throw definition.error('default', 'must be a string; put the value in quotes')
      }
      const required = definition.boolean('required')
      if (required === (value !== undefined)) {
        throw table.error(name, 'needs either required = true or a default')
      }
      const secret = definition.boolean('secret')
      definition.ignore('description')
      definition.done()
      return [name, { default: value, required, secret }]
    }),
  )
}

function readComponents(table: Table, context: ComponentContext): Manifest['components'] {
  return new Map(
    table.keys().map((id) => {
      if (!isComponentId(id)) throw table.error(id, notAnId(id))
      return [id, readComponent(id, table.table(id), context)]
    }),
  )
}

function notAnId(id: string): string {
  const written = id.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  return `is not a kebab-case id, such as "${isComponentId(written) ? written : 'my-tool'}"; write it so everywhere`
}

function checkProfile(components: Table, profile: string | undefined): void {
  if (profile === undefined) return
  const has = (id: string) => components.table(id).table('profile').has(profile)
  if (!components.keys().some(has)) {
    throw components.error('', `no component has a profile "${profile}"`)
  }
}

function readTriggers(
  table: Table,
  components: Manifest['components'],
  context: ComponentContext,
): Manifest['triggers'] {
  const other = table.keys().find((key) => key !== 'http')
  if (other !== undefined) throw table.error(other, 'is not a trigger of this host; it has http')
  const triggers = table.array('http').map((value, index) => table.asTable(`http[${index}]`, value))
  const ids = triggerIds(triggers)
  const read = (id: string, component: Table) => readComponent(id, component, context)
  return triggers.map((trigger, index) =>
    readTrigger(trigger, { id: ids[index] ?? '', components, readComponent: read }),
  )
}
