/** The `spin.toml` of a new application: the gateway and one tool. */
import { type ComponentSpec, quote, renderComponent } from './component.ts'
import { EARLIER_VARIABLES, gatewayComponent } from './parts/gateway-component.ts'
import { GATEWAY_VARIABLES, toolComponents } from './parts/gateway-variables.ts'
import type { Template, VariableSpec } from './template.ts'

/** A new application has no WebSocket bridge: no result of a job may name one. */
const WITHOUT_BRIDGE = { bridge_url: { ...GATEWAY_VARIABLES['bridge_url'], default: 'off' } }

/** Lines of the manifest. */
export function renderManifest(name: string, template: Template, tool: ComponentSpec): string[] {
  const variables = { ...GATEWAY_VARIABLES, ...WITHOUT_BRIDGE } as Record<string, VariableSpec>
  const gateway = Object.entries(variables).filter(([each]) => !EARLIER_VARIABLES.includes(each))
  return [
    'spin_manifest_version = 2',
    '',
    '# Clients see the name and the version. "title", "instructions" and "icons" can be in [application.tool.ftl].',
    '[application]',
    `name = ${quote(name)}`,
    'version = "0.1.0"',
    '',
    '[variables]',
    renderVariable(['tool_components', toolComponents(tool.id)]),
    ...Object.entries(template.variables).map(renderVariable),
    '# Settings of the gateway, each with its default.',
    ...gateway.map(renderVariable),
    '',
    '# The only public component: clients connect to it, and it calls the tools inside the application.',
    '',
    ...renderComponent(gatewayComponent()),
    '',
    '# Tools, each in its own sandbox. "npx ftl new NAME" adds one.',
    '',
    ...renderComponent(tool),
  ]
}

/** One line of `[variables]`. */
export function renderVariable([name, spec]: [string, VariableSpec]): string {
  const secret = spec.secret ? 'secret = true, ' : ''
  return `${name} = { default = ${quote(spec.default)}, ${secret}description = ${quote(spec.description)} }`
}
