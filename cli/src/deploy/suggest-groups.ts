/** Which tools could be one component without a right more, and how many bytes that would save: built, not estimated. */
import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { ComponentManifest } from 'ftl-host'
import { buildEach } from '../build/index.ts'
import { buildKeys } from '../application/build-keys.ts'
import { CommandFailure } from '../terminal/failure.ts'
import { checkOptions } from '../members/check-options.ts'
import { checkCallers, differentRights } from '../members/group-rights.ts'
import { joinComponents } from '../members/join-components.ts'
import { memberTargets } from '../members/member-targets.ts'
import { toolsOf } from '../members/single.ts'
import type { Application } from '../application/load-application.ts'

export interface SuggestedGroup {
  members: readonly string[]
  /** Bytes of the components as they are, and of one component with all of them. */
  bytes: number
  together: number
  /** The command that builds it. */
  command: string
}

/** Groups of tools with equal rights; none where their files are not built. */
export async function suggestGroups({
  manifest,
  cacheFolder,
}: Application): Promise<SuggestedGroup[]> {
  const gateway = [...manifest.components.values()].find(({ variables }) =>
    Object.hasOwn(variables, 'tool_components'),
  )
  if (!gateway) return []
  const groups: ComponentManifest[][] = []
  for (const id of toolsOf(manifest, gateway)) {
    const component = manifest.components.get(id)
    if (!component || !mayBeGrouped([component])) continue
    const group = groups.find(
      ([first]) =>
        first &&
        differentRights([first, component]).length === 0 &&
        mayBeGrouped([first, component]),
    )
    if (group) group.push(component)
    else groups.push([component])
  }
  const suggested: SuggestedGroup[] = []
  for (const [index, components] of groups.filter(({ length }) => length > 1).entries()) {
    const name = index === 0 ? 'tools' : `tools-${index + 1}`
    const members = components.map(({ id }) => id)
    try {
      checkCallers(manifest, gateway.id, new Map(members.map((id) => [id, name])))
    } catch (error) {
      if (error instanceof CommandFailure) continue
      throw error
    }
    const sizes = await Promise.all(components.map((each) => sizeOf(manifest.folder, each)))
    const targets = await memberTargets(manifest, name, joinComponents(components))
    const output = join(cacheFolder, 'groups', `${members.join('+')}.wasm`)
    const { failed } = await buildEach(
      [
        {
          ...buildKeys(components[0]?.tool['ftl'] ?? {}, name),
          id: name,
          entry: targets[0]?.entry ?? '',
          output,
          members: targets,
        },
      ],
      { cacheFolder },
    )
    if (failed.length > 0 || sizes.includes(0)) continue
    suggested.push({
      members,
      bytes: sizes.reduce((sum, size) => sum + size, 0),
      together: (await stat(output)).size,
      command: `ftl build --group ${name}=${members.join(',')}`,
    })
  }
  return suggested
}

function mayBeGrouped(components: readonly ComponentManifest[]): boolean {
  try {
    checkOptions(components, '--group')
    return true
  } catch (error) {
    if (error instanceof CommandFailure) return false
    throw error
  }
}

/** @returns 0 for a file that is not built. */
async function sizeOf(folder: string, { source }: ComponentManifest): Promise<number> {
  if (typeof source !== 'string') return 0
  return stat(resolve(folder, source)).then(
    ({ size }) => size,
    () => 0,
  )
}
