/** What each component takes and may reach, read from the manifest and from the built file. */
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type ComponentManifest, componentImports, type Manifest } from 'ftl-host'

export interface DeployedComponent {
  id: string
  /** `undefined` when the file is missing or is downloaded by Spin. */
  bytes: number | undefined
  /** Interfaces that not every platform offers. */
  missing: readonly string[]
  /** `allowed_outbound_hosts` with the values of variables, without the components of the application. */
  hosts: readonly string[]
  /** Ids of the components it may call; `*` for all. */
  calls: readonly string[]
  stores: readonly string[]
  /** Patterns of files it can read. */
  files: readonly string[]
  /** Variables of the application that it reads. */
  variables: readonly string[]
  isGateway: boolean
}

const INTERNAL = /^[^:]*:\/\/([^./]+)\.spin\.internal\b/

/** @param resolveTemplate replaces `{{ name }}` by the value of the variable. */
export async function readDeployed(
  { components, folder }: Manifest,
  resolveTemplate: (template: string) => string,
): Promise<DeployedComponent[]> {
  return Promise.all(
    [...components.values()].map(async (component) => {
      const { id, source, allowedOutboundHosts, keyValueStores, files } = component
      const wasm =
        typeof source === 'string'
          ? await readFile(resolve(folder, source)).catch(() => undefined)
          : undefined
      const hosts = allowedOutboundHosts.map(resolveTemplate)
      return {
        id,
        bytes: wasm?.length,
        missing: wasm === undefined ? [] : missingImports(wasm),
        hosts: hosts.filter((host) => !INTERNAL.test(host)),
        calls: hosts.flatMap((host) => INTERNAL.exec(host)?.[1] ?? []),
        stores: keyValueStores,
        files: files.map((mount) => ('pattern' in mount ? mount.pattern : mount.source)),
        variables: variablesOf(component),
        isGateway: Object.hasOwn(component.variables, 'tool_components'),
      }
    }),
  )
}

/** A file that is not a component is reported by `ftl doctor`; here it imports nothing. */
function missingImports(wasm: Uint8Array): string[] {
  try {
    return componentImports(wasm).flatMap(({ name, offered }) => (offered ? [] : [name]))
  } catch {
    return []
  }
}

function variablesOf({ variables, allowedOutboundHosts }: ComponentManifest): string[] {
  const templates = [...Object.values(variables), ...allowedOutboundHosts].join('\n')
  const names = [...templates.matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map(([, name = '']) => name)
  return [...new Set(names)].toSorted()
}
