/**
 * What the host takes from a checked manifest, and what it cannot serve.
 *
 * @module
 */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { type ComponentManifest, type Manifest, ManifestError } from './manifest.ts'

/** The components something can reach; others are never loaded. */
export function triggeredComponents({ triggers, components }: Manifest): ComponentManifest[] {
  const ids = new Set(
    triggers.flatMap(({ target }) => ('component' in target ? [target.component] : [])),
  )
  return [...components.values()].filter(({ id }) => ids.has(id))
}

export function publicRoutes({ triggers }: Manifest): { route: string; component: string }[] {
  return triggers.flatMap(({ route, target }) =>
    route !== undefined && 'component' in target ? [{ route, component: target.component }] : [],
  )
}

/**
 * Checks what is valid in a manifest and not on this host or machine.
 *
 * @throws {ManifestError}
 */
export function checkSupported({ file, folder, components }: Manifest): void {
  for (const { id, keyValueStores, files } of components.values()) {
    const unknown = keyValueStores.find((label) => label !== 'default')
    if (unknown !== undefined) {
      const reason = `unknown store "${unknown}"; this host has "default"`
      throw new ManifestError(file, `component.${id}.key_value_stores`, reason)
    }
    for (const [index, mount] of files.entries()) {
      if (!('source' in mount) || existsSync(resolve(folder, mount.source))) continue
      const reason = `"${mount.source}" does not exist`
      throw new ManifestError(file, `component.${id}.files[${index}].source`, reason)
    }
  }
}
