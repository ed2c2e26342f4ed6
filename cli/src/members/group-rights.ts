/** Whether components may be put together without giving one of them the rights of another. */
import type { ComponentManifest, Manifest } from 'ftl-host'
import { CommandFailure } from '../terminal/failure.ts'

const RIGHTS = {
  hosts: ({ allowedOutboundHosts }: ComponentManifest) => allowedOutboundHosts,
  stores: ({ keyValueStores }: ComponentManifest) => keyValueStores,
  files: ({ files }: ComponentManifest) => files.map((mount) => JSON.stringify(mount)),
  variables: ({ variables }: ComponentManifest) =>
    Object.entries(variables).map(([name, value]) => `${name} = ${value}`),
} as const

/** Which kinds of rights differ. */
export function differentRights(components: readonly ComponentManifest[]): string[] {
  return Object.entries(RIGHTS).flatMap(([kind, of]) => {
    const texts = new Set(components.map((component) => JSON.stringify([...of(component)].sort())))
    return texts.size > 1 ? [kind] : []
  })
}

/** @throws {CommandFailure} naming the rights that differ. */
export function sharedRights(name: string, components: readonly ComponentManifest[]): void {
  const kinds = differentRights(components)
  if (kinds.length === 0) return
  const lines = components.map((component) => {
    const rights = kinds.map((kind) => {
      const list = RIGHTS[kind as keyof typeof RIGHTS](component)
      return `${kind}: ${list.length === 0 ? 'none' : list.length > 3 ? `${list.length}` : list.join(', ')}`
    })
    return `  ${component.id} has ${rights.join('; ')}`
  })
  throw new CommandFailure(
    `--group ${name}: its components have different ${kinds.join(', ')}:\n${lines.join('\n')}\n` +
      'In one component, each tool could use the rights of all, and the memory of a request. Group components with equal rights, ' +
      'or add --allow-shared-rights.',
  )
}

/**
 * A member has no address of its own: only the gateway, and members of the same group, can call it.
 *
 * @param places group of each member.
 * @throws {CommandFailure} naming a component that calls a member of a group it is not in.
 */
export function checkCallers(
  { components }: Manifest,
  gateway: string,
  places: ReadonlyMap<string, string>,
): void {
  for (const { id, allowedOutboundHosts } of components.values()) {
    if (id === gateway) continue
    for (const host of allowedOutboundHosts) {
      const [, called = ''] = /^[^:]*:\/\/([^./:]+)\.spin\.internal\b/.exec(host) ?? []
      const place = places.get(called)
      if (place === undefined || place === places.get(id)) continue
      throw new CommandFailure(
        `--group ${place}: ${id} calls ${called} (${host}), and only the gateway can call a member of a group: leave ${called} out of ` +
          `it, or put ${id} into it`,
      )
    }
  }
}
