/** What a component needs that takes the place of several, and what each of them may see of it. */
import type { ComponentManifest, FilesMount } from 'ftl-host'
import { CommandFailure } from '../terminal/failure.ts'

/** A table of `[component.X.tool.ftl.members]`. */
export interface MemberTable {
  entry: string
  /** `name`, or `name=other` for a variable with another name in the component. */
  variables: string[]
  stores: string[]
  files: string[]
  calls: string[]
  routes: string[]
}

export interface JoinedComponent {
  variables: Readonly<Record<string, string>>
  environment: Readonly<Record<string, string>>
  files: readonly FilesMount[]
  excludeFiles: readonly string[]
  /** Without the components that are in it. */
  hosts: readonly string[]
  stores: readonly string[]
  /** By name, in order. */
  members: ReadonlyMap<string, MemberTable>
}

const INTERNAL = /^[^:]*:\/\/(\*|[^./:]+)\.spin\.internal\b/

/**
 * @param routes public routes of each component.
 * @throws {CommandFailure} when two need different values of one environment variable.
 */
export function joinComponents(
  components: readonly ComponentManifest[],
  routes: (id: string) => readonly string[] = () => [],
): JoinedComponent {
  const variables: Record<string, string> = {}
  const environment: Record<string, string> = {}
  const ids = new Set(components.map(({ id }) => id))
  const members = new Map<string, MemberTable>()
  for (const component of components) {
    const { id, tool, keyValueStores, allowedOutboundHosts } = component
    for (const [name, value] of Object.entries(component.environment)) {
      if (Object.hasOwn(environment, name) && environment[name] !== value) {
        throw new CommandFailure(
          `[component.${id}] environment: ${name} has another value than in another component of the group: remove one of them`,
        )
      }
      environment[name] = value
    }
    members.set(id, {
      entry: String(tool['ftl']?.['entry']),
      variables: Object.entries(component.variables).map(([name, template]) => {
        const own = nameFor(variables, name, template, id)
        variables[own] = template
        return own === name ? name : `${name}=${own}`
      }),
      stores: [...keyValueStores],
      files: component.files.flatMap((mount) =>
        'pattern' in mount ? [] : [`${mount.destination}=${movedFolder(id, mount.destination)}`],
      ),
      calls: allowedOutboundHosts.flatMap((host) => INTERNAL.exec(host)?.[1] ?? []),
      routes: [...routes(id)],
    })
  }
  return {
    variables,
    environment,
    files: uniqueMounts(components.flatMap(({ id, files }) => files.map(moveMount(id)))),
    excludeFiles: unique(components.flatMap(({ excludeFiles }) => excludeFiles)),
    hosts: unique(components.flatMap((component) => component.allowedOutboundHosts)).filter(
      (host) => !ids.has(INTERNAL.exec(host)?.[1] ?? ''),
    ),
    stores: unique(components.flatMap(({ keyValueStores }) => keyValueStores)),
    members,
  }
}

/** A variable keeps its name, unless another component has one of this name with another value. */
function nameFor(
  taken: Readonly<Record<string, string>>,
  name: string,
  template: string,
  id: string,
): string {
  const isFree = (each: string) => !Object.hasOwn(taken, each) || taken[each] === template
  if (isFree(name)) return name
  const own = `${id.replaceAll('-', '_')}_${name}`
  for (let number = 2; ; number++) {
    const candidate = number === 2 ? own : `${own}_${number}`
    if (isFree(candidate)) return candidate
  }
}

const movedFolder = (id: string, destination: string) => `/${id}${destination.replace(/\/$/, '')}`

const moveMount =
  (id: string) =>
  (mount: FilesMount): FilesMount =>
    'pattern' in mount
      ? mount
      : { source: mount.source, destination: movedFolder(id, mount.destination) }

const unique = <T>(list: readonly T[]): T[] => [...new Set(list)]

function uniqueMounts(mounts: readonly FilesMount[]): FilesMount[] {
  return [...new Map(mounts.map((mount) => [JSON.stringify(mount), mount])).values()]
}
