/**
 * Which components may call tools, and so name any caller to them: Spin passes the headers between components as the
 * sender wrote them. Only `allowed_outbound_hosts`, which Spin enforces, keeps a component from it.
 */
import type { Manifest } from 'ftl-host'

export interface InsideCalls {
  component: string
  /** Other components, without gateways, which accept no caller by such a header. */
  callees: readonly string[]
}

/** Components that may call others, without the gateways, which find out the caller themselves. */
export function whoMayCall({ components }: Pick<Manifest, 'components'>): InsideCalls[] {
  const isGateway = ({ variables }: { variables: object }) =>
    Object.hasOwn(variables, 'tool_components')
  const tools = [...components.values()].filter((component) => !isGateway(component))
  return tools.flatMap(({ id, allowedOutboundHosts }) => {
    const callees = tools
      .map((other) => other.id)
      .filter((other) => other !== id && allowedOutboundHosts.some((host) => reaches(host, other)))
    return callees.length > 0 ? [{ component: id, callees }] : []
  })
}

const HOST = /^(http|\*):\/\/([^:/]+)/

/** A template, such as `{{ api_host }}`, is not counted: only its value says what it allows. */
function reaches(allowed: string, component: string): boolean {
  const [, , host] = HOST.exec(allowed) ?? []
  return host === '*' || host === '*.spin.internal' || host === `${component}.spin.internal`
}

/** What `ftl spin-config` prints; nothing where no component may call another. */
export function warningOf(calls: readonly InsideCalls[]): string[] {
  if (calls.length === 0) return []
  return [
    'On Spin these components can name any user to the components that they may call (allowed_outbound_hosts):',
    ...calls.map(({ component, callees }) => `  ${component} calls ${callees.join(', ')}`),
  ]
}
