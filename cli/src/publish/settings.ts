/** What `[component.X.tool.ftl-publish]` and the options of `ftl publish` say about a package. */
import type { ComponentManifest } from 'ftl-host'
import { CommandFailure } from '../terminal/failure.ts'

export interface PublishSettings {
  /** Name of the npm package. @default the id of the component */
  name: string
  /** @default that of the application */
  version: string
  description: string
  /** SPDX expression. */
  license?: string
  /** Address of the source. */
  repository?: string
  /** Name at the MCP registry, such as `io.github.acme/weather`. */
  mcpName?: string
}

const KEYS = ['name', 'version', 'description', 'license', 'repository', 'mcp_name'] as const

export interface PublishOverrides {
  name?: string | undefined
  version?: string | undefined
  mcpName?: string | undefined
}

/** @throws {CommandFailure} naming the key. */
export function publishSettings(
  { id, tool, description: ofComponent }: Pick<ComponentManifest, 'id' | 'tool' | 'description'>,
  application: { readonly version?: unknown },
  overrides: PublishOverrides = {},
): PublishSettings {
  const table = tool['ftl-publish'] ?? {}
  const where = `[component.${id}.tool.ftl-publish]`
  for (const [key, value] of Object.entries(table)) {
    if (!(KEYS as readonly string[]).includes(key))
      throw new CommandFailure(
        `${where} ${key} is not a key of this table: it has ${KEYS.join(', ')}`,
      )
    if (typeof value !== 'string' || value.trim() === '')
      throw new CommandFailure(`${where} ${key} must be a string`)
  }
  const text = (key: (typeof KEYS)[number]) => table[key] as string | undefined
  const version = overrides.version ?? text('version') ?? application.version
  const mcpName = overrides.mcpName ?? text('mcp_name')
  const [license, repository] = [text('license'), text('repository')]
  return {
    name: checkedName(overrides.name ?? text('name') ?? id, where),
    version: checkedVersion(typeof version === 'string' ? version : '', where),
    description: text('description') ?? ofComponent ?? '',
    ...(license !== undefined && { license }),
    ...(repository !== undefined && { repository: checkedRepository(repository, where) }),
    ...(mcpName !== undefined && { mcpName: checkedMcpName(mcpName, where) }),
  }
}

/** @see https://docs.npmjs.com/cli/configuring-npm/package-json#name */
function checkedName(name: string, where: string): string {
  if (name.length <= 214 && /^(@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*$/.test(name))
    return name
  throw new CommandFailure(
    `"${name.slice(0, 80)}" cannot be the name of an npm package: write a name such as @acme/weather, in lower case, ` +
      `as name in ${where} or with --name`,
  )
}

/** @see https://semver.org */
function checkedVersion(version: string, where: string): string {
  if (/^\d{1,9}\.\d{1,9}\.\d{1,9}(-[0-9A-Za-z.-]+)?$/.test(version) && version.length <= 100)
    return version
  throw new CommandFailure(
    `"${version.slice(0, 80)}" cannot be the version: write one such as 1.2.0 as version in ${where}, in [application], ` +
      'or with --package-version',
  )
}

function checkedRepository(address: string, where: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url?.protocol === 'https:' && url.username === '' && url.password === '') return address
  throw new CommandFailure(`${where} repository must be an https address without a password`)
}

/** @see https://github.com/modelcontextprotocol/registry */
function checkedMcpName(name: string, where: string): string {
  if (name.length <= 200 && /^[a-zA-Z0-9-]+(\.[a-zA-Z0-9-]+)+\/[a-zA-Z0-9._-]+$/.test(name))
    return name
  throw new CommandFailure(
    `"${name.slice(0, 80)}" cannot be a name of the MCP registry: write a domain backwards, a slash and a name, such as ` +
      `io.github.acme/weather, as mcp_name in ${where} or with --mcp-name`,
  )
}
