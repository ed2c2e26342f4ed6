/**
 * The `spin.toml` of a new application: the gateway and one tool.
 *
 * @module
 */
import { type ComponentSpec, quote, renderComponent } from './component.ts'
import type { Template, VariableSpec } from './template.ts'

/** The variables of the gateway that an application begins with; it has more, each with a default. */
export const GATEWAY_VARIABLES: Readonly<Record<string, VariableSpec>> = {
  allowed_hosts: {
    default: '',
    description:
      'Names the gateway is called by, as a comma list: gateway.example, gateway.example:8443, *.example.com or *; localhost and IP addresses always may',
  },
  allowed_origins: {
    default: '',
    description:
      'Origins of web pages that may use the gateway, as a comma list: https://app.example, https://*.example.com or *; pages of this machine always may',
  },
  call_timeout_ms: { default: '30000', description: 'Milliseconds a tool call may take' },
  wait_limit_ms: {
    default: '50000',
    description: 'Milliseconds a call waits for a job before the client gets a handle',
  },
  stream_start: {
    // Nobody would deliver what it announces: a new application has no WebSocket bridge.
    default: 'never',
    description:
      'Who gets stream/start for a job: plain (clients without MCP headers), always or never',
  },
}

/** Lines of the manifest. */
export function renderManifest(name: string, template: Template, tool: ComponentSpec): string[] {
  const gateway = {
    tool_components: {
      default: tool.id,
      description:
        'Tool components, as a comma list or a JSON array; the first to name a tool keeps the plain name',
    },
    ...GATEWAY_VARIABLES,
  }
  return [
    'spin_manifest_version = 2',
    '',
    '[application]',
    `name = ${quote(name)}`,
    'version = "0.1.0"',
    '',
    '[variables]',
    ...Object.entries({ ...gateway, ...template.variables }).map(renderVariable),
    '',
    '# The one public component: it speaks to clients and calls the tools inside the application.',
    '',
    '[[trigger.http]]',
    'route = "/..."',
    'component = "mcp-gateway"',
    '',
    '[component.mcp-gateway]',
    'source = "dist/mcp-gateway.wasm"',
    'allowed_outbound_hosts = ["http://*.spin.internal"]',
    'key_value_stores = ["default"]',
    '',
    '[component.mcp-gateway.variables]',
    ...Object.keys(gateway).map((variable) => `${variable} = "{{ ${variable} }}"`),
    '',
    '[component.mcp-gateway.build]',
    'command = "npx ftl build"',
    '',
    '[component.mcp-gateway.tool.ftl]',
    'entry = "ftl-gateway"',
    '',
    '# Tools, each in a sandbox of its own. "npx ftl new NAME" adds one.',
    '',
    ...renderComponent(tool),
  ]
}

/** One line of `[variables]`. */
export function renderVariable([name, spec]: [string, VariableSpec]): string {
  return `${name} = { default = ${quote(spec.default)}, description = ${quote(spec.description)} }`
}
