/** Where a gateway finds its components: by their names, in a component of several, or in its own file. */
import type { ComponentManifest } from 'ftl-host'

/** An entry of `tool_components`: `echo`, or `echo@basics` for a member of the component `basics`. */
export function placed(entry: string): { name: string; place: string } {
  const [name = '', place = name] = entry.split('@')
  return { name, place }
}

/** Names of the components that were built into this one; empty for a component by itself. */
export function memberNames({ tool }: Pick<ComponentManifest, 'tool'>): string[] {
  const members = tool['ftl']?.['members']
  return typeof members === 'object' && members !== null ? Object.keys(members) : []
}

/** Whether clients reach the components of the application through this one. */
export const isGateway = ({ variables }: Pick<ComponentManifest, 'variables'>): boolean =>
  Object.hasOwn(variables, 'tool_components')
