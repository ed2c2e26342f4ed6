import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EXTERNAL_URL } from '../support/application.ts'
import { MANIFESTS } from '../support/manifests.ts'
import { callTool, rpc, type RpcAnswer } from '../support/rpc.ts'
import { serveManifest, type ServeOptions } from '../support/serve-manifest.ts'

/** The application with `remote` as its only tool component. */
export interface RemoteApplication {
  url: string
  /** The state of the host, as `.ftl` has it. */
  stateDir: string
  /** What it logged so far. */
  log(): string
  tools(): Promise<Tool[]>
  names(): Promise<string[]>
  /** The problems of the component that the operator sees. */
  problems(): Promise<string[]>
  call(name: string, args?: unknown): Promise<RpcAnswer>
  close(): Promise<void>
}

export interface Tool {
  name: string
  description?: string
  inputSchema: Record<string, unknown>
  outputSchema?: Record<string, unknown>
}

/** These tests give the application servers of their own. */
export const CANNOT_RUN = EXTERNAL_URL !== undefined

export async function startRemote(
  remoteServers: unknown,
  variables: Record<string, string> = {},
  listen?: string,
  hostOptions?: ServeOptions['host'],
): Promise<RemoteApplication> {
  const stateDir = await mkdtemp(join(tmpdir(), 'ftl-remote-'))
  const host = await serveManifest({
    manifest: MANIFESTS.application,
    ...(listen !== undefined && { listen }),
    ...(hostOptions !== undefined && { host: hostOptions }),
    stateDir,
    variables: {
      tool_components: 'remote',
      remote_servers:
        typeof remoteServers === 'string' ? remoteServers : JSON.stringify(remoteServers),
      // Every list asks the component, so that a test need not wait.
      catalog_ttl_ms: '0',
      // Some servers of the tests have more tools than a list has.
      tools_mode: 'off',
      ...variables,
    },
  })
  const tools = async () => (await rpc(host.url, 'tools/list')).result?.['tools'] as Tool[]
  return {
    url: host.url,
    stateDir,
    log: host.printed,
    tools,
    names: async () => (await tools()).map(({ name }) => name),
    async problems() {
      const health = (await (await fetch(`${host.url}/health/components`)).json()) as {
        components: { problems?: string[] }[]
      }
      return health.components.flatMap(({ problems = [] }) => problems)
    },
    call: (name, args = {}) => callTool(host.url, name, args),
    async close() {
      await host.close()
      await rm(stateDir, { recursive: true, force: true })
    },
  }
}
