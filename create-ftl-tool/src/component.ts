/** A component of `spin.toml`: as data, which can be compared, and as text, which can be read. */

export interface ComponentSpec {
  id: string
  /** Public routes. @default it has a private route */
  routes?: readonly string[]
  /** Path of the `.wasm`, from the folder of the manifest, with `/`. */
  source: string
  allowedOutboundHosts: string[]
  keyValueStores: string[]
  files: { source: string; destination: string }[]
  variables: Record<string, string>
  /** @default it is not built here */
  build?: { command: string; workdir?: string; watch: string[] }
  /** What `ftl build` bundles: a path or a package. @default it builds nothing */
  entry?: string
  /** It has skills of its own. @default false */
  skills?: boolean
  /** Lines of comment after the component's first lines. */
  hints: string[]
}

const PRIVATE = '{ private = true } # reachable from inside the application only'

/** The routes and the component, as lines of TOML. */
export function renderComponent(spec: ComponentSpec): string[] {
  const routes = spec.routes?.map(quote) ?? [PRIVATE]
  const lines = [
    ...routes.flatMap((route) => [
      '[[trigger.http]]',
      `route = ${route}`,
      `component = ${quote(spec.id)}`,
      '',
    ]),
    `[component.${spec.id}]`,
    `source = ${quote(spec.source)}`,
  ]
  if (spec.allowedOutboundHosts.length > 0) {
    lines.push(`allowed_outbound_hosts = ${list(spec.allowedOutboundHosts)}`)
  }
  if (spec.keyValueStores.length > 0) lines.push(`key_value_stores = ${list(spec.keyValueStores)}`)
  if (spec.files.length > 0) {
    const mounts = spec.files.map(
      ({ source, destination }) =>
        `  { source = ${quote(source)}, destination = ${quote(destination)} },`,
    )
    lines.push('files = [', ...mounts, ']')
  }
  lines.push(...spec.hints.map((hint) => `# ${hint}`))
  const variables = Object.entries(spec.variables)
  if (variables.length > 0) {
    lines.push('', `[component.${spec.id}.variables]`)
    for (const [name, value] of variables) lines.push(`${name} = ${quote(value)}`)
  }
  const { build } = spec
  if (build) {
    lines.push('', `[component.${spec.id}.build]`, `command = ${quote(build.command)}`)
    if (build.workdir !== undefined) lines.push(`workdir = ${quote(build.workdir)}`)
    if (build.watch.length > 0) lines.push(`watch = ${list(build.watch)}`)
  }
  if (spec.entry !== undefined) {
    lines.push('', `[component.${spec.id}.tool.ftl]`, `entry = ${quote(spec.entry)}`)
    if (spec.skills) lines.push('skills = true')
  }
  return lines
}

/** A basic string of TOML; what JSON escapes, TOML escapes alike. @see https://toml.io/en/v1.0.0#string */
export function quote(text: string): string {
  return JSON.stringify(text)
}

function list(values: readonly string[]): string {
  return `[${values.map(quote).join(', ')}]`
}
