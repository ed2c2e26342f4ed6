/** What to add to `spin.toml` for a variable that it does not declare, as lines. */
import { PARTS, quote, renderVariable } from 'create-ftl-tool'
import { type ComponentManifest, keyHint, type Manifest } from 'ftl-host'
import { onlyGateway } from './gateway-of.ts'
import { CURRENT_VARIABLES, type Lacking, lackingOf } from './undeclared.ts'

/** The tables of `spin.toml` with what they lack. */
export function tablesOf(
  { declarations, bindings, hosts }: Lacking,
  gateway: ComponentManifest,
): string[] {
  const { id, allowedOutboundHosts } = gateway
  const declared = Object.entries(declarations).map(renderVariable)
  const bound = Object.entries(bindings).map(([name, value]) => `${name} = ${quote(value)}`)
  const allowed = [...allowedOutboundHosts, ...hosts].map(quote).join(', ')
  return [
    ...(declared.length > 0 ? ['[variables]', ...declared, ''] : []),
    ...(bound.length > 0 ? [`[component.${id}.variables]`, ...bound, ''] : []),
    ...(hosts.length > 0 ? [`[component.${id}]`, `allowed_outbound_hosts = [${allowed}]`, ''] : []),
  ].slice(0, -1)
}

/** What to do about a variable that has a value and is not declared. */
export function declarationHelp(name: string, manifest: Manifest): string {
  const gateway = onlyGateway(manifest)
  const part = PARTS.find(({ variables }) => Object.hasOwn(variables, name))
  if (gateway && CURRENT_VARIABLES.includes(name)) {
    const lines = tablesOf(lackingOf(gateway, manifest, [name]), gateway)
    if (lines.length > 0)
      return [
        'Add to spin.toml, or let "npx ftl doctor --fix" do it:',
        '',
        ...lines.map((line) => (line === '' ? '' : `  ${line}`)),
      ].join('\n')
  }
  if (part) return `It is a variable of ${part.title}, which "npx ftl add ${part.id}" adds.`
  const known = [...manifest.variables.keys()]
  return `Declare it in [variables], and pass it on to the component that reads it${keyHint(name, known)}`
}
