/** The manifest of an application with the gateway and tools that `ftl build` builds from sources in its folder. */

/** @param more lines of `[component.ID]`. @param entry path of the source. */
export const toolSection = (id: string, more = '', entry = `${id}/main.ts`): string => `
[[trigger.http]]
route = { private = true }
component = "${id}"

[component.${id}]
source = "dist/${id}.wasm"
${more}

[component.${id}.tool.ftl]
entry = "${entry}"
`

/** @param variables lines of the gateway's variables. */
export const manifestWith = (name: string, sections: string, variables = ''): string =>
  `spin_manifest_version = 2

[application]
name = "${name}"

[[trigger.http]]
route = "/..."
component = "mcp-gateway"

[component.mcp-gateway]
source = "dist/mcp-gateway.wasm"
allowed_outbound_hosts = ["http://*.spin.internal"]
key_value_stores = ["default"]

[component.mcp-gateway.variables]
tool_components = "echo,calculator"
${variables}

[component.mcp-gateway.tool.ftl]
entry = "ftl-gateway"
${sections}`
