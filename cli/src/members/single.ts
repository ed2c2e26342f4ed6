/** `ftl build --single`: the manifest of an application that is one component. */
import { basename, dirname, join } from 'node:path'
import { type ComponentManifest, type HttpTrigger, type Manifest, Variables } from 'ftl-host'
import { CommandFailure } from '../terminal/failure.ts'
import { listOf } from '../policy/component-list.ts'
import { gatewayOf } from '../policy/policy-source.ts'
import { checkOptions } from './check-options.ts'
import { fileName } from './file-name.ts'
import { joinComponents } from './join-components.ts'
import { buildRows, manifestText, memberRows, sharedKeys } from './manifest-text.ts'

/** Beside the manifest, because its paths are relative to it. */
export const SINGLE_MANIFEST = 'spin-single.toml'

export interface SingleApplication {
  text: string
  /** The members, in order. */
  names: readonly string[]
}

/** What is put together. */
export interface SingleChoice {
  gateway: ComponentManifest
  /** The gateway first. */
  components: readonly ComponentManifest[]
  /** Tools that the gateway lists. */
  tools: readonly string[]
  /** Public routes of a component. */
  routes: (id: string) => readonly string[]
}

/**
 * @param ids tools to put beside the gateway. @default the gateway's tools, and components with a public route
 * @throws {CommandFailure} naming what cannot be in it, and why.
 */
export function chooseSingle(manifest: Manifest, ids: readonly string[]): SingleChoice {
  const gateway = gatewayOf(manifest)
  const routes = (id: string) =>
    manifest.triggers.flatMap(({ route, target }) =>
      route !== undefined && 'component' in target && target.component === id ? [route] : [],
    )
  const tools = toolsOf(manifest, gateway)
  const others = [...manifest.components.keys()].filter(
    (id) => ids.includes(id) || (ids.length === 0 && (tools.includes(id) || routes(id).length > 0)),
  )
  const names = [gateway.id, ...others.filter((id) => id !== gateway.id)]
  const components = names.map((id) => manifest.components.get(id) as ComponentManifest)
  const missing = ids.length > 0 ? undefined : tools.find((id) => !manifest.components.has(id))
  if (missing !== undefined) {
    throw new CommandFailure(
      `tool_components names "${missing}", which spin.toml does not have: name the components to build, such as ftl build --single ${names.slice(1).join(' ')}`,
    )
  }
  checkOptions(components, '--single')
  const named = names.flatMap(routes).find((route) => route.includes('/:'))
  if (named !== undefined) {
    throw new CommandFailure(
      `--single: the route ${named} has a named segment, which one component cannot find: write a route such as "/files/..."`,
    )
  }
  const listed = tools.filter((id) => names.includes(id))
  // Named on the command line, though the gateway's variable does not: only tools have no public route.
  const more = others.filter(
    (id) =>
      ids.includes(id) && !listed.includes(id) && routes(id).length === 0 && id !== gateway.id,
  )
  return { gateway, components, tools: [...listed, ...more], routes }
}

/** @throws {CommandFailure} as {@link chooseSingle}. */
export function singleManifest(manifest: Manifest, ids: readonly string[]): SingleApplication {
  const { gateway, components, tools, routes } = chooseSingle(manifest, ids)
  const names = components.map(({ id }) => id)
  const folder = typeof gateway.source === 'string' ? dirname(gateway.source) : 'dist'
  const source = join(folder, `${fileName(manifest)}-single.wasm`)
  const joined = joinComponents(components, routes)
  const included = withTools(manifest, gateway, joined.variables, tools)
  const watch = [...new Set(components.flatMap(({ build }) => build?.watch ?? []))]
  const text = manifestText(
    { ...manifest, variables: included.application },
    singleTriggers(manifest, gateway.id, new Set(names)),
    [
      {
        ...joined,
        id: gateway.id,
        source,
        description: gateway.description,
        variables: included.component,
        // The rest could only be a component of the application, and there is no other one.
        hosts: joined.hosts.filter((host) => !/\.spin\.internal\b/.test(host)),
        build: buildRows([`npx ftl build --from ${SINGLE_MANIFEST}`], watch),
        ftl: [...sharedKeys(gateway.id, components), ...memberRows(gateway.id, joined)],
      },
    ],
    [
      `Made by "ftl build --single" from ${basename(manifest.file)}: change that file, and run the command again.`,
      'One component has the gateway and its tools, and they share its sandbox: its hosts, stores, files, variables and memory.',
    ],
  )
  return { text, names }
}

/** The tools that the gateway names, by the defaults of the variables. */
export function toolsOf(manifest: Manifest, { variables }: ComponentManifest): string[] {
  const resolver = new Variables(manifest, { env: {}, folders: [], partial: true })
  return listOf(resolver.resolve(variables['tool_components'] ?? ''))
}

/** The variables, with the list of tools that are there. */
export function withTools(
  { variables }: Manifest,
  gateway: ComponentManifest,
  component: Readonly<Record<string, string>>,
  tools: readonly string[],
): { application: Manifest['variables']; component: Readonly<Record<string, string>> } {
  const list = tools.join(',')
  const [, name] = /^\{\{\s*(\w+)\s*\}\}$/.exec(gateway.variables['tool_components'] ?? '') ?? []
  const definition = name === undefined ? undefined : variables.get(name)
  if (name === undefined || !definition) {
    return { application: variables, component: { ...component, tool_components: list } }
  }
  const changed = { ...definition, required: false, default: list }
  return { application: new Map(variables).set(name, changed), component }
}

/** Every public route leads to the one component, which finds the member by its path. */
function singleTriggers(
  { triggers }: Manifest,
  id: string,
  names: ReadonlySet<string>,
): HttpTrigger[] {
  return triggers.flatMap((trigger) => {
    if (!('component' in trigger.target)) return [trigger]
    if (trigger.route === undefined || !names.has(trigger.target.component)) return []
    return [{ ...trigger, target: { component: id } }]
  })
}
