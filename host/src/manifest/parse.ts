/**
 * Reading a `spin.toml`, as strictly as Spin does.
 *
 * @module
 */
import { readFile, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { parse, TomlError } from 'smol-toml'
import { isComponentId, isVariableName, readComponent } from './component.ts'
import { type Manifest, ManifestError, type VariableDefinition } from './manifest.ts'
import { Table } from './table.ts'
import { readTrigger } from './trigger.ts'

/**
 * Reads and checks a manifest.
 *
 * @param path `spin.toml`, or the folder it is in.
 * @throws {ManifestError} naming the file and the key.
 */
export async function loadManifest(path: string): Promise<Manifest> {
  const given = resolve(path)
  const isFolder = await stat(given).then(
    (found) => found.isDirectory(),
    () => false,
  )
  const file = isFolder ? join(given, 'spin.toml') : given
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === 'ENOENT' ? 'does not exist' : `cannot be read (${error.code})`
    throw new ManifestError(file, '', reason)
  })
  return parseManifest(text, file)
}

/**
 * Checks the text of a manifest.
 *
 * @param file its absolute path, for error messages and relative paths.
 * @throws {ManifestError} naming the file and the key.
 */
export function parseManifest(text: string, file: string): Manifest {
  const root = new Table(parseToml(text, file), { file, path: '' })
  const version = root.raw('spin_manifest_version')
  if (version !== 2) {
    throw root.error('spin_manifest_version', version === undefined ? 'is missing' : 'must be 2')
  }
  const application = root.table('application')
  const name = application.string('name')
  application.ignore('authors', 'targets', 'trigger')
  const variables = readVariables(root.table('variables'))
  const components = readComponents(root.table('component'), new Set(variables.keys()))
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
    triggers: readTriggers(root.table('trigger'), new Set(components.keys())),
    components,
  }
  application.done()
  root.done()
  return manifest
}

function parseToml(text: string, file: string): Record<string, unknown> {
  try {
    return parse(text)
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    const [reason = 'is not TOML'] = error.message.split('\n')
    throw new ManifestError(`${file}:${error.line}:${error.column}`, '', reason)
  }
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

function readComponents(table: Table, variables: ReadonlySet<string>): Manifest['components'] {
  return new Map(
    table.keys().map((id) => {
      if (!isComponentId(id)) throw table.error(id, 'is not a kebab-case id, such as "my-tool"')
      return [id, readComponent(id, table.table(id), variables)]
    }),
  )
}

function readTriggers(table: Table, components: ReadonlySet<string>): Manifest['triggers'] {
  const other = table.keys().find((key) => key !== 'http')
  if (other !== undefined) throw table.error(other, 'is not a trigger of this host; it has http')
  return table
    .array('http')
    .map((value, index) => readTrigger(table.asTable(`http[${index}]`, value), components))
}
