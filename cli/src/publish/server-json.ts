/** `server.json` for the MCP registry. @see https://github.com/modelcontextprotocol/registry/tree/main/docs */
import { CommandFailure } from '../terminal/failure.ts'
import type { ComponentPackage } from '../registry/component-package.ts'
import type { PublishSettings } from './settings.ts'

const SERVER_SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'

/** Characters of the longest description that the schema allows. */
const MOST_DESCRIPTION = 100

/** Where an application serves MCP unless it is started otherwise. */
const LOCAL_URL = 'http://127.0.0.1:3000/mcp'

export interface ServerPlaces {
  isOnNpm: boolean
  /** Host, name and tag. */
  oci?: string | undefined
  /** Address of an MCP endpoint that serves the tools. */
  remote?: string | undefined
}

/** @throws {CommandFailure} for an address that the registry would refuse. */
export function serverJson(
  about: ComponentPackage,
  { description, repository, mcpName }: PublishSettings & { mcpName: string },
  { isOnNpm, oci, remote }: ServerPlaces,
): object {
  const how = {
    // ftl adds the package to an application, which then serves its tools there.
    runtimeHint: 'ftl',
    transport: { type: 'streamable-http', url: LOCAL_URL },
  }
  const packages = [
    ...(isOnNpm
      ? [{ registryType: 'npm', identifier: about.name, version: about.version, ...how }]
      : []),
    ...(oci === undefined ? [] : [{ registryType: 'oci', identifier: oci, ...how }]),
  ]
  return {
    $schema: SERVER_SCHEMA,
    name: mcpName,
    description: shortened(description || `Tools: ${about.tools.join(', ')}`),
    version: about.version,
    ...(repository !== undefined && {
      repository: { url: repository, source: sourceOf(repository) },
    }),
    ...(packages.length > 0 && { packages }),
    ...(remote !== undefined && { remotes: [{ type: 'streamable-http', url: checked(remote) }] }),
  }
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > MOST_DESCRIPTION ? `${line.slice(0, MOST_DESCRIPTION - 1)}…` : line
}

/** The name of the service: `github` for `https://github.com/…`. */
function sourceOf(repository: string): string {
  return new URL(repository).hostname.split('.').slice(-2, -1)[0] ?? 'git'
}

function checked(remote: string): string {
  const url = URL.canParse(remote) ? new URL(remote) : undefined
  if (url?.protocol === 'https:' && url.username === '' && url.password === '') return remote
  throw new CommandFailure('--url must be an https address of an MCP endpoint, without a password')
}
