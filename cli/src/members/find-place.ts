import type { Manifest } from 'ftl-host'
import { CommandFailure } from '../terminal/failure.ts'
import { isGateway, memberNames } from './placed-names.ts'

/**
 * @param name of a component, or of one that is in a group.
 * @returns id of the component in the manifest.
 * @throws {CommandFailure} where it is not one that can be asked by itself.
 */
export function findPlace({ components }: Pick<Manifest, 'components'>, name: string): string {
  const component = components.get(name)
  if (component) {
    const members = memberNames(component)
    if (members.length === 0) return name
    throw new CommandFailure(`${name} consists of ${members.join(', ')}: name one of them`)
  }
  const group = [...components.values()].find((each) => memberNames(each).includes(name))
  if (!group) {
    const names = [...components.values()].flatMap((each) => [each.id, ...memberNames(each)])
    throw new CommandFailure(`spin.toml has no component "${name}"; it has ${names.join(', ')}`)
  }
  if (!isGateway(group)) return group.id
  throw new CommandFailure(
    `${name} is in the component of the gateway, which is the only one that can call it: test it with the manifest that was built`,
  )
}
