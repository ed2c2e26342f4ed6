import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { checkSharedStores, withoutId } from '../kv/store-view.ts'
import { type Manifest, ManifestError } from '../manifest/manifest.ts'

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
