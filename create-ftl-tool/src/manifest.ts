/** The `spin.toml` of a new application: the gateway and one tool. */
import { type ComponentSpec, quote, renderComponent } from './component.ts'
import type { Template, VariableSpec } from './template.ts'

/** Gateway variables that a new application declares; the gateway has more, each with a default. */
const GATEWAY_VARIABLES: Readonly<Record<string, VariableSpec>> = {
  allowed_hosts: {
    default: '',
    description:
      'Host names of the gateway, comma-separated: `gateway.example`, `gateway.example:8443`, `*.example.com` or `*`; `localhost` and IP addresses are always allowed; empty = none',
  },
  allowed_origins: {
    default: '',
    description:
      'Origins of web pages that may call the gateway, comma-separated: `https://app.example`, `https://*.example.com` or `*`; pages of this machine are always allowed; empty = none',
  },
  api_keys: {
    default: '',
    description:
      'API keys as a JSON array of digests, as `ftl key new` prints it (docs/authentication.md#api-keys-for-programs); empty = none',
    secret: true,
  },
  auth_issuers: {
    default: '',
    description:
      'Authorization servers whose access tokens are accepted: addresses, comma-separated, or a JSON array; their hosts must be in `allowed_outbound_hosts` of the gateway (docs/authentication.md); empty = none',
  },
  auth_audience: {
    default: '',
    description:
      'Address of this server that tokens must be issued for, such as `https://gateway.example/mcp`; empty = derived from the request, on this machine and for a host in `allowed_hosts`',
  },
  policy: {
    default: '',
    description:
      'What authenticated callers may do: `signed-in`, which permits everything, or JSON with rules (docs/authorization.md); empty = nothing is permitted',
  },
  call_timeout_ms: { default: '30000', description: 'Timeout of a tool call in milliseconds' },
  wait_limit_ms: {
    default: '50000',
    description: 'Milliseconds that a call waits for a job before it returns a handle',
  },
  stream_start: {
    // A new application has no WebSocket bridge to deliver what stream/start announces.
    default: 'never',
    description:
      'Which clients get `stream/start` for a job: `plain` (clients without MCP headers), `always` or `never`',
  },
}

/** Lines of the manifest. */
export function renderManifest(name: string, template: Template, tool: ComponentSpec): string[] {
  const gateway = {
    tool_components: {
      default: tool.id,
      description:
        'Tool components, comma-separated or as a JSON array; `echo@basics` is a member of a group of tools; if two have a tool of the same name, the first keeps the plain name (docs/deploying.md#groups-of-tools)',
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
    '# The only public component: clients connect to it, and it calls the tools inside the application.',
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
