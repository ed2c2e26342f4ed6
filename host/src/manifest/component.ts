/** `[component.X]`. */
import { checkAllowedHost } from './allowed-hosts.ts'
import { ExpressionError, parseTemplate } from './template.ts'
import type { BuildConfig, ComponentManifest, FilesMount } from './manifest.ts'
import { readCommand, readProfile } from './profile.ts'
import { readSource } from './source.ts'
import type { Table } from './table.ts'

const KEBAB = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/
const VARIABLE_NAME = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/

export const isComponentId = (text: string): boolean => KEBAB.test(text)

export const isVariableName = (text: string): boolean => VARIABLE_NAME.test(text)

export interface ComponentContext {
  /** The application's variables, the only names an expression may use. */
  variables: ReadonlySet<string>
  /** The profile whose overrides hold, where a component has it. */
  profile: string | undefined
}

export function readComponent(
  id: string,
  table: Table,
  { variables, profile }: ComponentContext,
): ComponentManifest {
  const { source, environment, command } = readProfile(table.table('profile'), profile)
  const component: ComponentManifest = {
    id,
    description: table.optionalString('description'),
    source: source ?? readSource(table),
    variables: readVariables(table.table('variables'), variables),
    environment: { ...table.stringTable('environment'), ...environment },
    files: readFiles(table),
    excludeFiles: table.strings('exclude_files'),
    allowedOutboundHosts: readAllowedHosts(table, variables),
    keyValueStores: table.strings('key_value_stores'),
    build: readBuild(table, command),
    tool: table.freeTables('tool'),
  }
  for (const key of ['sqlite_databases', 'ai_models', 'allowed_http_hosts'] as const) {
    if (table.strings(key).length > 0) throw table.error(key, 'is not supported by this host')
  }
  if (table.table('dependencies').keys().length > 0) {
    throw table.error('dependencies', 'is not supported by this host')
  }
  const unused = ['targets', 'dependencies_inherit_configuration'] as const
  table.ignore('source', ...unused)
  table.hide('sqlite_databases', 'ai_models', 'allowed_http_hosts', 'dependencies', ...unused)
  table.done()
  return component
}

function readVariables(table: Table, known: ReadonlySet<string>): Record<string, string> {
  return Object.fromEntries(
    table.keys().map((name) => {
      if (!isVariableName(name)) throw table.error(name, 'is not a lower_snake_case name')
      const value = table.raw(name)
      if (Array.isArray(value)) {
        throw table.error(
          name,
          'must be a string, not an array; write a comma list ("a,b") or a JSON string (\'["a","b"]\')',
        )
      }
      if (typeof value !== 'string') {
        throw table.error(name, `must be a string, not a ${typeof value}; put it in quotes`)
      }
      checkTemplate(table, name, value, known)
      return [name, value]
    }),
  )
}

function checkTemplate(table: Table, key: string, text: string, known: ReadonlySet<string>): void {
  try {
    for (const part of parseTemplate(text)) {
      if ('variable' in part && !known.has(part.variable)) {
        throw table.error(key, `uses the variable "${part.variable}", which [variables] lacks`)
      }
    }
  } catch (error) {
    if (error instanceof ExpressionError) throw table.error(key, error.message)
    throw error
  }
}

function readAllowedHosts(table: Table, known: ReadonlySet<string>): string[] {
  return table.strings('allowed_outbound_hosts').map((text, index) => {
    const key = `allowed_outbound_hosts[${index}]`
    checkTemplate(table, key, text, known)
    // With an expression in it, the entry can be checked only when a value is there.
    const fault = text.includes('{{') ? undefined : checkAllowedHost(text)
    if (fault !== undefined) throw table.error(key, `"${text}" ${fault}`)
    return text
  })
}

function readFiles(table: Table): FilesMount[] {
  return table.array('files').map((value, index) => {
    const key = `files[${index}]`
    if (typeof value === 'string') {
      if (value.startsWith('/') || value.split('/').includes('..')) {
        throw table.error(key, 'must stay inside the folder of the manifest')
      }
      return { pattern: value }
    }
    const mount = table.asTable(key, value)
    const result = { source: mount.string('source'), destination: mount.string('destination') }
    if (!result.destination.startsWith('/') || result.destination.split('/').includes('..')) {
      throw mount.error('destination', 'must be an absolute path, such as "/config"')
    }
    mount.done()
    return result
  })
}

function readBuild(table: Table, override: string[] | undefined): BuildConfig | undefined {
  const build = table.optionalTable('build')
  if (!build) return override && { command: override, workdir: undefined, watch: [] }
  const command = readCommand(build)
  const result = {
    command: override ?? command,
    workdir: build.optionalString('workdir'),
    watch: build.strings('watch'),
  }
  build.done()
  return result
}
