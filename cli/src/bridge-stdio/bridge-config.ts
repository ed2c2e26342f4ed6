/** `ftl bridge-stdio --config`: every server of an `mcpServers` file, in the form that the component `remote` takes. */
import { ClientError, type ServerConfig } from 'ftl-client'
import { openFront } from './http-front.ts'
import { type FetchHandler, mcpHandler } from './mcp-handler.ts'
import { ServerProcess, type ServerProcessOptions } from './server-process.ts'

/** One entry of the variable `remote_servers`. */
interface RemoteEntry {
  url: string
  headers?: Record<string, string>
  denied?: string[]
  protocol?: string
}

export interface Bridged {
  /** The value of the variable `remote_servers`. */
  remoteServers: Record<string, RemoteEntry>
  /** Names of the processes that are served. */
  served: string[]
  /** What could not be started or taken over, a line each. */
  problems: string[]
  close: () => Promise<void>
}

export interface BridgeConfigOptions {
  /** `host:port`. */
  listen: string
  /** Environment of every process; that of the file goes before it. */
  env: Record<string, string>
  /** What a process tells. */
  watch: (name: string) => ServerProcessOptions
  /** Origins of the gateway that is to get the servers, which must not list itself. @default none is known */
  own?: readonly string[]
}

/** A server that does not start costs itself. @throws {Error} when the address is in use. */
export async function bridgeConfig(
  given: Readonly<Record<string, ServerConfig>>,
  { listen, env, watch, own = [] }: BridgeConfigOptions,
): Promise<Bridged> {
  const problems: string[] = []
  const handlers = new Map<string, FetchHandler>()
  const processes: ServerProcess[] = []
  const paths = new Map<string, string>()
  const servers = Object.fromEntries(
    Object.entries(given).filter(([name, config]) => {
      const isOwn = own.some((origin) => leadsTo(config, origin))
      if (isOwn) problems.push(`${name} is left out: it is this application itself`)
      return !isOwn
    }),
  )
  const keys = ownKeys(servers, problems)
  await Promise.all(
    Object.entries(servers).map(async ([name, config]) => {
      const key = keys.get(name)
      if (key === undefined || !('command' in config)) return
      try {
        const options = { ...config, env: { ...env, ...config.env } }
        const server = await ServerProcess.start(options, watch(name))
        processes.push(server)
        const path = `/${key}/mcp`
        handlers.set(path, mcpHandler(server, name))
        paths.set(name, path)
      } catch (error) {
        if (!(error instanceof ClientError)) throw error
        problems.push(`${name} is left out: ${error.message}`)
      }
    }),
  )
  const stop = () => Promise.all(processes.map((server) => server.stop()))
  const dispatch: FetchHandler = async (request) =>
    (await handlers.get(new URL(request.url).pathname)?.(request)) ??
    new Response('Not found', { status: 404 })
  const front = await openFront(dispatch, { listen, paths: [...handlers.keys()] }).catch(
    async (error: unknown) => {
      await stop()
      throw error
    },
  )
  const remoteServers = new Map<string, RemoteEntry>()
  for (const [name, config] of Object.entries(servers)) {
    const path = paths.get(name)
    const key = keys.get(name)
    if (key === undefined) continue
    const { deniedTools } = config
    const denied = deniedTools && { denied: [...deniedTools] }
    if ('url' in config) {
      const { url, headers, protocol, auth } = config
      if (auth) problems.push(`${name}: "auth" is not supported here; use "headers"`)
      remoteServers.set(key, {
        url,
        ...(headers && { headers: { ...headers } }),
        ...denied,
        ...(protocol === '2026-07-28' && { protocol }),
      })
    } else if (path !== undefined) {
      remoteServers.set(key, { url: new URL(path, front.url).href, ...denied })
    }
  }
  return {
    remoteServers: Object.fromEntries(remoteServers),
    served: [...paths.keys()],
    problems,
    close: async () => {
      await front.close()
      await stop()
    },
  }
}

/** Files for clients name the application itself, too: by its address, or by a process that forwards to it. */
function leadsTo(config: ServerConfig, origin: string): boolean {
  const addresses = 'url' in config ? [config.url] : (config.args ?? [])
  return addresses.some((each) => URL.canParse(each) && new URL(each).origin === origin)
}

/** The name that `remote` knows each by. Of two servers with the same one, the second is not even started. */
function ownKeys(servers: object, problems: string[]): ReadonlyMap<string, string> {
  const keys = new Map<string, string>()
  const taken = new Set<string>()
  for (const name of Object.keys(servers)) {
    const key = remoteName(name)
    if (taken.has(key)) problems.push(`${name} is left out: another server is named ${key}`)
    else keys.set(name, key)
    taken.add(key)
  }
  return keys
}

/** `remote` takes 1 to 32 letters, digits, `_` and `-`. */
function remoteName(name: string): string {
  const usable = name.replace(/[^A-Za-z0-9_-]+/g, '-').slice(0, 32) || 'server'
  // `remote` would take this one for the list of all.
  return usable === 'mcpServers' ? 'mcp-servers' : usable
}
