/** What a package says of its component, taken from the manifest and the built file. */
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type Manifest, reachOf } from 'ftl-host'
import { CommandFailure } from '../terminal/failure.ts'
import {
  checkComponent,
  type ComponentPackage,
  MOST_COMPONENT_BYTES,
  parsePackage,
  sha256Of,
} from '../registry/component-package.ts'
import type { PublishSettings } from './settings.ts'

export interface Publishable {
  about: ComponentPackage
  wasm: Uint8Array
}

/** The file as it is on the disk. @throws {CommandFailure} */
export async function builtFile({ folder, components }: Manifest, id: string): Promise<Uint8Array> {
  const source = components.get(id)?.source
  if (typeof source !== 'string')
    throw new CommandFailure(`[component.${id}] source must be a local path to be published`)
  const wasm = await readFile(resolve(folder, source)).catch(() => {
    throw new CommandFailure(`there is no ${source}: run ftl build ${id}`)
  })
  if (wasm.length > MOST_COMPONENT_BYTES)
    throw new CommandFailure(
      `${source} has ${wasm.length} bytes, and ftl add reads at most ${MOST_COMPONENT_BYTES}`,
    )
  return wasm
}

/** @throws {CommandFailure} when ftl add would refuse the package. */
export function describeComponent(
  manifest: Manifest,
  id: string,
  wasm: Uint8Array,
  { name, version }: Pick<PublishSettings, 'name' | 'version'>,
  tools: readonly string[],
): ComponentPackage {
  const component = manifest.components.get(id)
  if (!component) throw new CommandFailure(`spin.toml has no component "${id}"`)
  const reach = reachOf(component)
  const where = `[component.${id}]`
  const variable = reach.hosts?.find((host) => host.includes('${'))
  if (variable !== undefined) {
    throw new CommandFailure(
      `${where} allowed_outbound_hosts has "${variable}", which depends on a variable of this application. Name the hosts ` +
        'themselves: a person who adds the component must see them.',
    )
  }
  for (const kind of ['files', 'environment'] as const) {
    if (!reach[kind]) continue
    throw new CommandFailure(
      `${where} has ${kind} (${reach[kind].join(', ')}), which are of this machine: a package cannot contain them. Import ` +
        'files in the code, and use variables instead of the environment.',
    )
  }
  const about = {
    ...{ name, version, digest: sha256Of(wasm), world: 'ftl:component@0.1.0', reach },
    tools: [...tools].sort(),
  }
  checkComponent(wasm, about)
  return parsePackage(about)
}
