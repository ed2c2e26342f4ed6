/**
 * Rewrites a manifest for Spin, so that two components open the same key-value store only if they share it on purpose.
 *
 * Spin opens the same store for every component that lists its label. So each component gets its own labels, and the
 * variable `own_store` with its label for `default`.
 */
import { type ComponentManifest, type Manifest, reachText } from 'ftl-host'
import { CommandFailure } from '../terminal/failure.ts'

/** Manifest and runtime configuration, as text. */
export interface SeparateStores {
  manifest: string
  runtimeConfig: string
}

/** Spin's database of the default store, relative to the folder of the runtime configuration. */
const DATABASE = '.spin/sqlite_key_value.db'

const HEADER = /^\s*\[component\.([a-z0-9-]+)(\.variables)?\]\s*(?:#.*)?$/
const STORES = /^\s*key_value_stores\s*=/

/**
 * @param text of the manifest.
 * @throws {CommandFailure} when two components would have the same label, or a line cannot be replaced.
 */
export function separateStores(text: string, { components }: Manifest): SeparateStores {
  const labels = new Map<string, string>()
  for (const component of components.values()) {
    for (const label of component.keyValueStores) {
      const own = ownLabel(component, label)
      const other = labels.get(own)
      if (other !== undefined && own !== label) {
        throw new CommandFailure(
          `the components "${other}" and "${component.id}" would both have the store "${own}"; rename one of them`,
        )
      }
      labels.set(own, component.id)
    }
  }
  const definitions = [...labels.keys()].map(
    (label) => `[key_value_store.${label}]\ntype = "spin"\npath = "${DATABASE}"\n`,
  )
  return { manifest: rewritten(text, components), runtimeConfig: definitions.join('\n') }
}

/** Spin's labels are words joined by dashes. A label listed in `shared_stores` stays as it is. */
function ownLabel({ id, tool }: ComponentManifest, label: string): string {
  const shared = tool['ftl']?.['shared_stores']
  if (Array.isArray(shared) && shared.includes(label)) return label
  return `${id}-${label.replaceAll('_', '-')}`
}

/** Variables that the embedded host defines itself. */
function addedVariables(
  component: ComponentManifest,
  components: ReadonlyMap<string, ComponentManifest>,
): string[] {
  const { keyValueStores, variables } = component
  const label = ownLabel(component, 'default')
  // A shared store does not belong to a single component.
  const hasOwn = keyValueStores.includes('default') && label !== 'default'
  const isGateway = Object.hasOwn(variables, 'tool_components')
  return [
    ...(hasOwn ? [`own_store = "${label}"`] : []),
    ...(isGateway && !Object.hasOwn(variables, 'tool_reach')
      ? [`tool_reach = ${JSON.stringify(reachText({ components: new Map(components) }))}`]
      : []),
  ]
}

function rewritten(text: string, components: ReadonlyMap<string, ComponentManifest>): string {
  const pending = new Map<string, string[]>()
  for (const component of components.values()) {
    const added = addedVariables(component, components)
    if (added.length > 0) pending.set(component.id, added)
  }
  let current: ComponentManifest | undefined
  const lines = text.split('\n').flatMap((line) => {
    const [, id, variables] = HEADER.exec(line) ?? []
    if (/^\s*\[/.test(line)) current = variables ? undefined : components.get(id ?? '')
    const own = variables === undefined ? undefined : pending.get(id ?? '')
    if (own !== undefined) {
      pending.delete(id ?? '')
      return [line, ...own]
    }
    if (!current || !STORES.test(line)) return line
    if (!line.includes(']')) {
      throw new CommandFailure(`write key_value_stores of [component.${current.id}] on one line`)
    }
    const list = current.keyValueStores.map((label) =>
      ownLabel(current as ComponentManifest, label),
    )
    return `key_value_stores = ${JSON.stringify(list)}`
  })
  for (const [id, own] of pending) lines.push(`[component.${id}.variables]`, ...own, '')
  return lines.join('\n')
}
