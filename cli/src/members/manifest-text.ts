/** Writes a manifest whose components were put together differently. */
import type { ComponentManifest, FilesMount, HttpTrigger, Manifest } from 'ftl-host'
import type { JoinedComponent } from './join-components.ts'

/** What of a component `ftl` and Spin read, as it is written. */
export interface WrittenComponent extends Omit<JoinedComponent, 'members' | 'hosts'> {
  id: string
  source: string
  description?: string | undefined
  hosts: readonly string[]
  /** Rows of the table `build`. */
  build: readonly string[]
  /** Rows of the table `tool.ftl` and those below it. */
  ftl: readonly string[]
}

/** @param head lines of a comment. */
export function manifestText(
  { application, variables }: Manifest,
  triggers: readonly HttpTrigger[],
  components: readonly WrittenComponent[],
  head: readonly string[],
): string {
  const { name, version, description } = application
  return [
    ...head.map((row) => `# ${row}`),
    '',
    'spin_manifest_version = 2',
    '',
    '[application]',
    `name = ${quoted(name)}`,
    ...(version === undefined ? [] : [`version = ${quoted(version)}`]),
    ...(description === undefined ? [] : [`description = ${quoted(description)}`]),
    '',
    '[variables]',
    ...[...variables].map(([variable, { default: value, required, secret }]) => {
      const parts = [
        ...(required ? ['required = true'] : []),
        ...(value === undefined ? [] : [`default = ${quoted(value)}`]),
        ...(secret ? ['secret = true'] : []),
      ]
      return `${variable} = { ${parts.join(', ')} }`
    }),
    '',
    ...triggers.flatMap(triggerRows),
    ...components.flatMap(componentRows),
  ].join('\n')
}

function triggerRows({ id, route, target }: HttpTrigger): string[] {
  const rows = ['[[trigger.http]]']
  rows.push(`route = ${route === undefined ? '{ private = true }' : quoted(route)}`)
  if ('component' in target) rows.push(`component = ${quoted(target.component)}`)
  else {
    const { status, headers, body } = target.response
    const fields = Object.entries(headers).map(
      ([name, value]) => `${quoted(name)} = ${quoted(value)}`,
    )
    rows.push(
      `id = ${quoted(id)}`,
      `static_response = { status_code = ${status}, headers = { ${fields.join(', ')} }, body = ${quoted(body)} }`,
    )
  }
  return [...rows, '']
}

function componentRows(component: WrittenComponent): string[] {
  const { id, source, description, hosts, stores, files, excludeFiles } = component
  const table = (name: string, rows: readonly string[]) =>
    rows.length === 0 ? [] : [`[component.${id}.${name}]`, ...rows, '']
  const pairs = (values: Readonly<Record<string, string>>) =>
    Object.entries(values).map(([name, value]) => `${name} = ${quoted(value)}`)
  return [
    `[component.${id}]`,
    `source = ${quoted(source)}`,
    ...(description === undefined ? [] : [`description = ${quoted(description)}`]),
    ...(hosts.length > 0 ? [`allowed_outbound_hosts = ${listText(hosts)}`] : []),
    ...(stores.length > 0 ? [`key_value_stores = ${listText(stores)}`] : []),
    ...(files.length > 0 ? [`files = [${files.map(mountText).join(', ')}]`] : []),
    ...(excludeFiles.length > 0 ? [`exclude_files = ${listText(excludeFiles)}`] : []),
    '',
    ...table('variables', pairs(component.variables)),
    ...table('environment', pairs(component.environment)),
    ...table('build', component.build),
    ...component.ftl,
  ]
}

/** Rows of `[component.X.tool.ftl.members]`. */
export function memberRows(id: string, { members }: Pick<JoinedComponent, 'members'>): string[] {
  return [...members].flatMap(([name, { entry, ...lists }]) => [
    `[component.${id}.tool.ftl.members.${name}]`,
    `entry = ${quoted(entry)}`,
    ...Object.entries(lists).flatMap(([key, list]: [string, readonly string[]]) =>
      list.length > 0 ? [`${key} = ${listText(list)}`] : [],
    ),
    '',
  ])
}

/** What all members need of the build: a module that one of them has is a module of the component. */
export function sharedKeys(id: string, components: readonly ComponentManifest[]): string[] {
  const tables = components.map(({ tool }) => tool['ftl'] ?? {})
  const rows = valueRows({
    ...(tables.some((table) => table['intl'] === true) && { intl: true }),
    ...(tables.some((table) => table['node_compat'] === true) && { node_compat: true }),
  })
  return rows.length === 0 ? [] : [`[component.${id}.tool.ftl]`, ...rows, '']
}

/** A component as it is in the other manifest. */
export function unchanged(component: ComponentManifest & { source: string }): WrittenComponent {
  const { id, source, description, allowedOutboundHosts, keyValueStores, build, tool } = component
  const { variables, environment, files, excludeFiles } = component
  return {
    ...{ id, source, description, variables, environment, files, excludeFiles },
    hosts: allowedOutboundHosts,
    stores: keyValueStores,
    build: build ? buildRows(build.command, build.watch, build.workdir) : [],
    ftl: tool['ftl'] ? [`[component.${id}.tool.ftl]`, ...valueRows(tool['ftl']), ''] : [],
  }
}

export function buildRows(
  command: readonly string[],
  watch: readonly string[],
  workdir?: string,
): string[] {
  return [
    `command = ${command.length === 1 ? quoted(command[0] ?? '') : listText(command)}`,
    ...(workdir === undefined ? [] : [`workdir = ${quoted(workdir)}`]),
    ...(watch.length > 0 ? [`watch = ${listText(watch)}`] : []),
  ]
}

/** Keys of `tool.ftl`: texts, numbers, booleans and lists of texts. */
function valueRows(table: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(table).map(([key, value]) => `${key} = ${JSON.stringify(value)}`)
}

function mountText(mount: FilesMount): string {
  return 'pattern' in mount
    ? quoted(mount.pattern)
    : `{ source = ${quoted(mount.source)}, destination = ${quoted(mount.destination)} }`
}

/** JSON escapes as TOML does, but for this character. */
const quoted = (text: string) => JSON.stringify(text).replaceAll('\u007f', '\\u007f')

const listText = (list: readonly string[]) => `[${list.map(quoted).join(', ')}]`
