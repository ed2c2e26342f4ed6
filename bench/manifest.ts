/** The manifest of a gateway with tools that only it can reach. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const DIST = fileURLToPath(new URL('../dist/', import.meta.url))

export interface ToolComponent {
  name: string
  /** Path in `dist`. */
  wasm: string
  variables?: Record<string, string>
}

/** @param variables of the gateway, besides `tool_components`. */
export function gatewayManifest(
  application: string,
  components: readonly ToolComponent[],
  variables: Record<string, string> = {},
): string {
  const names = components.map(({ name }) => name).join()
  return `spin_manifest_version = 2

[application]
name = "${application}"
version = "0.1.0"

[[trigger.http]]
route = "/..."
component = "mcp-gateway"

[component.mcp-gateway]
source = ${sourceOf('mcp-gateway.wasm')}
allowed_outbound_hosts = ["http://*.spin.internal"]
key_value_stores = ["default"]
${tableOf('mcp-gateway', { tool_components: names, ...variables })}
${components.map(privateComponent).join('')}`
}

function privateComponent({ name, wasm, variables }: ToolComponent): string {
  return `
[[trigger.http]]
route = { private = true }
component = "${name}"

[component.${name}]
source = ${sourceOf(wasm)}
${variables ? tableOf(name, variables) : ''}`
}

const sourceOf = (wasm: string) => JSON.stringify(join(DIST, wasm))

function tableOf(component: string, variables: Record<string, string>): string {
  const lines = Object.entries(variables).map(
    ([name, value]) => `${name} = ${JSON.stringify(value)}`,
  )
  return `\n[component.${component}.variables]\n${lines.join('\n')}\n`
}
