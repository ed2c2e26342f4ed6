/** The gateway of an application, as a component of `spin.toml`. */
import type { ComponentSpec } from '../component.ts'
import { GATEWAY_VARIABLES } from './gateway-variables.ts'

/** Read by the gateway, and only where an application of an earlier version sets them. */
export const EARLIER_VARIABLES: readonly string[] = ['code_limits']

/** The host may be requested; the variable is not passed on. */
const HOSTS: Readonly<Record<string, string>> = { auth_host: '{{ auth_host }}' }

/** What every call or every list needs to know is one variable, because each one that is read takes time on Spin. */
const TOGETHER: Readonly<Record<string, readonly string[]>> = {
  call_settings: [
    ...['call_timeout_ms', 'audit', 'audit_arguments', 'calls_per_minute'],
    ...['jobs_per_day', 'job_ttl_ms', 'store_bytes'],
  ],
  list_settings: [
    'list_page_size',
    'tools_mode',
    'list_budget_tokens',
    'always_visible',
    'list_changes',
  ],
}

const INSIDE = Object.values(TOGETHER).flat()

/** The variables of the gateway's component by their names; the values are texts with expressions. */
export function gatewayBindings(): Record<string, string> {
  const own = Object.keys(GATEWAY_VARIABLES).filter(
    (name) => !INSIDE.includes(name) && !Object.hasOwn(HOSTS, name),
  )
  const together = Object.entries(TOGETHER).map(([name, parts]) => [
    name,
    parts.map((part) => `${part}={{ ${part} }}`).join('; '),
  ])
  return {
    ...Object.fromEntries(
      ['tool_components', ...own].map((name) => [name, `{{ ${name} }}`] as const),
    ),
    // With the policy, so that a gateway without authentication finds out at no cost whether one is set.
    trust_forwarded_user: '{{ trust_forwarded_user }}; policy={{ policy }}',
    ...(Object.fromEntries(together) as Record<string, string>),
  }
}

/** How a variable of the application reaches the gateway. */
export type Reaches = { host: string } | { variable: string; value: string }

/** @returns `undefined` for a name that the gateway does not read. */
export function reachesGateway(name: string): Reaches | undefined {
  if (Object.hasOwn(HOSTS, name)) return { host: HOSTS[name] ?? '' }
  const found = Object.entries(gatewayBindings()).find(
    ([variable, value]) => variable === name || value.includes(`{{ ${name} }}`),
  )
  return found && { variable: found[0], value: found[1] }
}

/** Of a new application. */
export function gatewayComponent(): ComponentSpec {
  const variables = Object.entries(gatewayBindings())
  return {
    id: 'mcp-gateway',
    routes: ['/...'],
    source: 'dist/mcp-gateway.wasm',
    allowedOutboundHosts: ['http://*.spin.internal', ...Object.values(HOSTS)],
    keyValueStores: ['default'],
    files: [],
    variables: Object.fromEntries(variables.filter(([name]) => !EARLIER_VARIABLES.includes(name))),
    build: { command: 'npx ftl build', watch: [] },
    entry: 'ftl-gateway',
    hints: [],
  }
}
