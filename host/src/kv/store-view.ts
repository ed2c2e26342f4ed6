/**
 * Which entries a component sees when it opens a store.
 *
 * Spin gives one store to every component that lists its label. Here each component has a store of its own under every
 * label: otherwise a tool could read and change what the gateway keeps, and another tool's jobs. Components that must
 * share entries say so in the manifest.
 */
import { type ComponentManifest, type Manifest, ManifestError } from '../manifest/manifest.ts'

/** A store as one component sees it. Without `component` it is the one all components share. */
export interface StoreView {
  label: string
  component?: string
}

/**
 * The store's own name, `{component}.{label}`. Ids of components have no dots, so two components never have the same. A
 * runtime configuration of this host may define it, for example to give one component a Redis database of its own; Spin
 * has no such labels (`ftl spin-config` writes others).
 */
export function storeName({ label, component }: StoreView): string {
  return component === undefined ? label : `${component}.${label}`
}

/**
 * What the component may open.
 *
 * @param label as the guest asks for it: one of its labels, or the name of its own store.
 * @returns `undefined` when the manifest does not list it.
 */
export function viewOf(component: ComponentManifest, label: string): StoreView | undefined {
  const { id, keyValueStores } = component
  const own = withoutId(id, label)
  if (!keyValueStores.includes(label) && !keyValueStores.includes(own)) return undefined
  if (own === label && sharedLabels(component).includes(label)) return { label }
  return { label: own, component: id }
}

/**
 * The variable with the name of the component's own store. A component need not declare it on this host; on Spin, the manifest
 * sets it. Entries that only this component can open need no seal.
 */
export const OWN_STORE_VARIABLE = 'own_store'

/** @returns `undefined` when others can open the component's default store. */
export function ownStoreOf(component: ComponentManifest): string | undefined {
  const view = viewOf(component, 'default')
  return view?.component === undefined ? undefined : storeName(view)
}

/** The label the manifest means: `echo.default` is the store `default` of the component `echo`. */
export function withoutId(id: string, label: string): string {
  return label.startsWith(`${id}.`) ? label.slice(id.length + 1) : label
}

/**
 * `shared_stores` of `[component.X.tool.ftl]`: labels under which the component sees the entries of every other
 * component that shares them, and the others see its own.
 *
 * Any of them can then read, change and delete all of it. So never share a label that the gateway opens.
 *
 * @default none
 */
function sharedLabels({ tool }: ComponentManifest): readonly unknown[] {
  const labels = tool['ftl']?.['shared_stores']
  return Array.isArray(labels) ? labels : []
}

/** @throws {ManifestError} */
export function checkSharedStores({ file, components }: Manifest): void {
  for (const component of components.values()) {
    const { id, keyValueStores, tool } = component
    const labels = tool['ftl']?.['shared_stores']
    if (labels === undefined) continue
    const problem = (text: string) =>
      new ManifestError(file, `component.${id}.tool.ftl.shared_stores`, text)
    if (!Array.isArray(labels)) throw problem('must be a list of labels')
    for (const label of labels as unknown[]) {
      if (typeof label !== 'string' || !keyValueStores.includes(label)) {
        throw problem(`${JSON.stringify(label)} is not in key_value_stores`)
      }
      if (label.includes('.')) throw problem(`"${label}" must not contain a dot`)
    }
  }
}
