/** `ftl build --group`: the manifest of an application some of whose components are put together. */
import { basename, dirname, join } from 'node:path'
import type { ComponentManifest, Manifest } from 'ftl-host'
import { CommandFailure } from '../terminal/failure.ts'
import { listOf } from '../policy/component-list.ts'
import { gatewayOf } from '../policy/policy-source.ts'
import { checkOptions } from './check-options.ts'
import { checkCallers, sharedRights } from './group-rights.ts'
import { joinComponents } from './join-components.ts'
import {
  buildRows,
  manifestText,
  memberRows,
  sharedKeys,
  unchanged,
  type WrittenComponent,
} from './manifest-text.ts'
import { toolsOf, withTools } from './single.ts'

/** Beside the manifest, because its paths are relative to it. */
export const GROUPED_MANIFEST = 'spin-grouped.toml'

export interface Group {
  name: string
  /** Ids of components. */
  members: readonly string[]
}

/**
 * @param allowShared whether components with different rights may be in one group.
 * @throws {CommandFailure} naming the group and what is wrong with it.
 */
export function groupedManifest(
  manifest: Manifest,
  groups: readonly Group[],
  allowShared: boolean,
): string {
  const gateway = gatewayOf(manifest)
  checkGroups(manifest, gateway, groups)
  const places = new Map(groups.flatMap(({ name, members }) => members.map((id) => [id, name])))
  checkCallers(manifest, gateway.id, places)
  const joined = groups.map((group) => {
    const components = group.members.map((id) => manifest.components.get(id) as ComponentManifest)
    checkOptions(components, `--group ${group.name}`)
    if (!allowShared) sharedRights(group.name, components)
    return writtenGroup(group.name, components)
  })
  const tools = toolsOf(manifest, gateway).map((id) =>
    places.has(id) ? `${id}@${places.get(id)}` : id,
  )
  const listed = withTools(manifest, gateway, gateway.variables, tools)
  const others = [...manifest.components.values()]
    .filter(({ id }) => !places.has(id))
    .map((component) => {
      const { source } = component
      if (typeof source !== 'string') {
        throw new CommandFailure(`[component.${component.id}] source must be a path for --group`)
      }
      const variables = component.id === gateway.id ? listed.component : component.variables
      return unchanged({ ...component, source, variables: { ...variables } })
    })
  const triggers = manifest.triggers.filter(
    ({ target }) => !('component' in target) || !places.has(target.component),
  )
  const ofGroups = groups.map(({ name }) => ({
    id: `${name}-private`,
    route: undefined,
    target: { component: name },
  }))
  return manifestText(
    { ...manifest, variables: listed.application },
    [...triggers, ...ofGroups],
    [...others, ...joined],
    [
      `Made by "ftl build --group" from ${basename(manifest.file)}: change that file, and run the command again.`,
      'The members of a component share its sandbox: its hosts, stores, files, variables, and the memory of a request.',
    ],
  )
}

function writtenGroup(name: string, components: readonly ComponentManifest[]): WrittenComponent {
  const joined = joinComponents(components)
  const [first] = components
  const source = typeof first?.source === 'string' ? first.source : 'dist/-'
  const watch = [...new Set(components.flatMap(({ build }) => build?.watch ?? []))]
  return {
    ...joined,
    id: name,
    source: join(dirname(source), `${name}.wasm`),
    build: buildRows([`npx ftl build --from ${GROUPED_MANIFEST}`], watch),
    ftl: [...sharedKeys(name, components), ...memberRows(name, joined)],
  }
}

function checkGroups(
  { components, triggers }: Manifest,
  gateway: ComponentManifest,
  groups: readonly Group[],
): void {
  const seen = new Map<string, string>()
  for (const { name, members } of groups) {
    const problem = (text: string) => new CommandFailure(`--group ${name}: ${text}`)
    if (components.has(name)) {
      throw problem(`spin.toml has a component of this name: choose another one`)
    }
    if (members.length < 2) throw problem('a group needs at least two components')
    for (const id of members) {
      if (!components.has(id)) {
        throw problem(
          `there is no component "${id}"; there are ${[...components.keys()].join(', ')}`,
        )
      }
      if (id === gateway.id) {
        throw problem(`${id} is the gateway: "ftl build --single" puts it together with its tools`)
      }
      const isPublic = triggers.some(
        ({ route, target }) =>
          route !== undefined && 'component' in target && target.component === id,
      )
      if (isPublic) throw problem(`${id} has a public route: only tools can be in a group`)
      const other = seen.get(id)
      if (other !== undefined) throw problem(`${id} is twice in a group (${other})`)
      seen.set(id, name)
    }
  }
}

/** `basics=echo,calculator`. @throws {CommandFailure} */
export function parseGroup(text: string): Group {
  const [, name, list = ''] = /^([a-z][a-z0-9]*(?:-[a-z0-9]+)*)=(.*)$/.exec(text) ?? []
  if (name === undefined) {
    throw new CommandFailure(
      '--group must be NAME=COMPONENT,COMPONENT, such as basics=echo,calculator',
    )
  }
  return { name, members: listOf(list) }
}
