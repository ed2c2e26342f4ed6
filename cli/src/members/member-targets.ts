import type { Manifest } from 'ftl-host'
import type { MemberTarget } from '../build/index.ts'
import { findEntry } from '../application/find-entry.ts'
import type { JoinedComponent } from './join-components.ts'
import { readMembers } from './read-members.ts'

/**
 * What the builder needs of components that no manifest has put together.
 *
 * @param name of the component, for messages.
 * @throws {CommandFailure} naming an entry that is not there.
 */
export function memberTargets(
  { folder }: Pick<Manifest, 'folder'>,
  name: string,
  joined: Pick<JoinedComponent, 'members' | 'variables' | 'stores'>,
): Promise<MemberTarget[]> {
  return readMembers(
    { members: Object.fromEntries(joined.members) },
    `[component.${name}.tool.ftl]`,
    { variables: joined.variables, keyValueStores: [...joined.stores] },
    (entry, where) => findEntry(entry, folder, where),
    1,
  )
}
