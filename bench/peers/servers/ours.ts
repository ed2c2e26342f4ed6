/** This gateway on the embedded host, with tools as components or as MCP servers elsewhere. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, CACHE_DIR } from '../../application.ts'
import { start, temporaryFolder } from '../children.ts'
import type { Peer, Running } from '../peer.ts'

const DIST = fileURLToPath(new URL('../../../dist/', import.meta.url))
const HOST = fileURLToPath(new URL('../../host-process.ts', import.meta.url))
const MORE =
  'runs each tool in a sandbox of its own; no accounts, no database of servers, no federation'

/** `ttlMs` of `remote_servers` where a backend hangs: the measurement waits for its end, which is 60 s by default. */
const HUNG_LIST_TTL_MS = 10_000

interface Component {
  name: string
  wasm: string
  /** Lines of the manifest below `[component.NAME]`. */
  settings?: string
  variables?: Record<string, string>
}

export const ours: Peer = {
  name: 'ours',
  ownTool: true,
  about: 'embedded host with one worker thread per core (its default); the tool is a component',
  more: MORE,
  install,
  start: ({ urls, lastHangs }) => serve(components(Math.max(urls.length, 1), lastHangs)),
}

/** As gateways are that have MCP servers behind them: the like-for-like comparison. */
export const oursRemote: Peer = {
  name: 'ours-remote',
  listCacheMs: HUNG_LIST_TTL_MS + 1_000,
  about:
    'as ours, and the component `remote` in front of the same HTTP echo server as the other gateways',
  more: MORE,
  install,
  start: ({ urls }) => serve([remote(urls)]),
}

function components(count: number, lastHangs: boolean): Component[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `echo-${index + 1}`,
    ...(lastHangs && index === count - 1
      ? { wasm: 'test/app/broken.wasm', variables: { fault: 'hangs' } }
      : { wasm: 'echo.wasm' }),
  }))
}

/** `remote` in front of MCP servers elsewhere. */
export function remote(urls: readonly string[]): Component {
  const settings = urls.length > 1 ? { ttlMs: HUNG_LIST_TTL_MS } : {}
  const servers = Object.fromEntries(
    urls.map((url, index) => [`server-${index + 1}`, { url, ...settings }]),
  )
  return {
    name: 'remote',
    wasm: 'remote.wasm',
    settings: 'allowed_outbound_hosts = ["http://127.0.0.1:*"]\nkey_value_stores = ["default"]\n',
    variables: { remote_servers: JSON.stringify(servers) },
  }
}

let built: Promise<void> | undefined

async function install(): Promise<string> {
  await (built ??= build())
  const file = new URL('../../../cli/package.json', import.meta.url)
  return (JSON.parse(await readFile(file, 'utf8')) as { version: string }).version
}

async function serve(tools: readonly Component[]): Promise<Running> {
  const { folder, remove } = await temporaryFolder()
  const manifest = join(folder, 'spin.toml')
  await mkdir(CACHE_DIR, { recursive: true })
  await writeFile(manifest, manifestOf(tools))
  const options = { manifest, cacheDir: CACHE_DIR }
  const child = start(process.execPath, [HOST, JSON.stringify(options), 'native'], {
    ipc: true,
    // Its state is there too.
    env: { ...process.env, TMPDIR: folder },
  })
  const stop = async () => {
    await child.stop()
    await remove()
  }
  try {
    const { url } = await child.message<{ url: string }>()
    return {
      url: `${url}/mcp`,
      pid: child.pid,
      startedAt: child.startedAt,
      check: child.check,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** @param dist folder of the built components. @default that of this checkout */
export function manifestOf(tools: readonly Component[], dist = DIST): string {
  return `spin_manifest_version = 2

[application]
name = "ftl-peers"
version = "0.1.0"

[[trigger.http]]
route = "/..."
component = "mcp-gateway"

[component.mcp-gateway]
source = ${JSON.stringify(join(dist, 'mcp-gateway.wasm'))}
allowed_outbound_hosts = ["http://*.spin.internal"]
key_value_stores = ["default"]

[component.mcp-gateway.variables]
tool_components = "${tools.map(({ name }) => name).join()}"
${tools.map((tool) => privateComponent(tool, dist)).join('')}`
}

function privateComponent(
  { name, wasm, settings = '', variables = {} }: Component,
  dist: string,
): string {
  const lines = Object.entries(variables).map(([key, value]) => `${key} = ${JSON.stringify(value)}`)
  return `
[[trigger.http]]
route = { private = true }
component = "${name}"

[component.${name}]
source = ${JSON.stringify(join(dist, wasm))}
${settings}
[component.${name}.variables]
${lines.join('\n')}
`
}
