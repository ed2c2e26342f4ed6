/** What the host takes from a checked manifest, and what it cannot serve. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { checkSharedStores, withoutId } from '../kv/store-view.ts'
import { type ComponentManifest, type Manifest, ManifestError } from './manifest.ts'

/** The components something can reach; others are never loaded. */
export function triggeredComponents({ triggers, components }: Manifest): ComponentManifest[] {
  const ids = new Set(
    triggers.flatMap(({ target }) => ('component' in target ? [target.component] : [])),
  )
  return [...components.values()].filter(({ id }) => ids.has(id))
}

/** A route as `spin up` shows it. */
export interface PublicRoute {
  /** The component, or the trigger of a static response. */
  id: string
  /** Without the wildcard at its end; at least `/`. */
  path: string
  wildcard: boolean
  description: string | undefined
}

/** What can be reached from outside; of the same route twice, the later one counts. */
export function publicRoutes({ triggers, components }: Manifest): PublicRoute[] {
  const routes = new Map<string, PublicRoute>()
  for (const { id, route, target } of triggers) {
    if (route === undefined) continue
    const component = 'component' in target ? target.component : undefined
    const absolute = route.startsWith('/') ? route : `/${route}`
    const path = absolute.replace(/\/(\.\.\.|\*)$/, '').replace(/\/$/, '')
    routes.set(route, {
      id: component ?? id,
      path: path === '' ? '/' : path,
      wildcard: /\/(\.\.\.|\*)$/.test(absolute),
      description: component === undefined ? undefined : components.get(component)?.description,
    })
  }
  return [...routes.values()]
}

/**
 * Checks what is valid in a manifest and not on this host or machine.
 *
 * @param labels of the key-value stores there are.
 * @throws {ManifestError}
 */
export function checkSupported(manifest: Manifest, labels: readonly string[] = ['default']): void {
  const { file, folder, components } = manifest
  checkSharedStores(manifest)
  for (const { id, keyValueStores, files } of components.values()) {
    const unknown = keyValueStores.find(
      (label) => !labels.includes(label) && !labels.includes(withoutId(id, label)),
    )
    if (unknown !== undefined) {
      const reason =
        `unknown store "${unknown}"; there is ${labels.map((label) => `"${label}"`).join(', ')}, ` +
        'and a runtime configuration can define more'
      throw new ManifestError(file, `component.${id}.key_value_stores`, reason)
    }
    for (const [index, mount] of files.entries()) {
      if (!('source' in mount) || existsSync(resolve(folder, mount.source))) continue
      const reason = `"${mount.source}" does not exist`
      throw new ManifestError(file, `component.${id}.files[${index}].source`, reason)
    }
  }
}
