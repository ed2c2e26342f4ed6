import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ErrorEntry, type HostOptions, type LogEntry, startHost } from 'ftl-host'

const CACHE_DIR = fileURLToPath(new URL('../../../.ftl/cache', import.meta.url))

/** A component of a hostile application, as its manifest describes it. */
export interface HostileComponent {
  wasm: Uint8Array
  /** `false`: reachable from inside only. @default `/{id}/...` */
  route?: string | false
  allowedHosts?: readonly string[]
  stores?: readonly string[]
  /** Values of the component's variables; strings in TOML. */
  variables?: Readonly<Record<string, string>>
  /** Lines of TOML for the component's table. */
  more?: string
}

export interface HostileApplication {
  folder: string
  manifest: string
  remove: () => Promise<void>
}

export interface RunningApplication {
  url: string
  port: number
  folder: string
  logs: LogEntry[]
  errors: ErrorEntry[]
  close: () => Promise<void>
}

/** Writes `spin.toml` and the components into a new temporary folder. */
export async function writeApplication(
  components: Readonly<Record<string, HostileComponent>>,
  more = '',
): Promise<HostileApplication> {
  const folder = await mkdtemp(join(tmpdir(), 'ftl-hostile-'))
  await mkdir(join(folder, 'dist'))
  const parts = ['spin_manifest_version = 2\n[application]\nname = "hostile"\n', more]
  for (const [id, component] of Object.entries(components)) {
    await writeFile(join(folder, 'dist', `${id}.wasm`), component.wasm)
    parts.push(entryOf(id, component))
  }
  const manifest = join(folder, 'spin.toml')
  await writeFile(manifest, parts.join('\n'))
  return { folder, manifest, remove: () => rm(folder, { recursive: true, force: true }) }
}

function entryOf(id: string, component: HostileComponent): string {
  const {
    route = `/${id}/...`,
    allowedHosts = [],
    stores = [],
    variables = {},
    more = '',
  } = component
  const list = (items: readonly string[]) => JSON.stringify(items)
  return [
    '[[trigger.http]]',
    `route = ${route === false ? '{ private = true }' : JSON.stringify(route)}`,
    `component = "${id}"`,
    `[component.${id}]`,
    `source = "dist/${id}.wasm"`,
    `allowed_outbound_hosts = ${list(allowedHosts)}`,
    `key_value_stores = ${list(stores)}`,
    more,
    `[component.${id}.variables]`,
    ...Object.entries(variables).map(([name, value]) => `${name} = ${JSON.stringify(value)}`),
    '',
  ].join('\n')
}

/** Serves the components in this process, on a free port, with an empty environment and state of its own. */
export async function startHostile(
  components: Readonly<Record<string, HostileComponent>>,
  { toml = '', ...options }: Partial<HostOptions> & { toml?: string } = {},
): Promise<RunningApplication> {
  const { folder, manifest, remove } = await writeApplication(components, toml)
  const logs: LogEntry[] = []
  const errors: ErrorEntry[] = []
  try {
    const host = await startHost({
      manifest,
      listen: '127.0.0.1:0',
      env: {},
      stateDir: join(folder, 'state'),
      cacheDir: CACHE_DIR,
      drainMs: 200,
      workers: 2,
      onLog: (entry) => logs.push(entry),
      onError: (entry) => errors.push(entry),
      ...options,
    })
    return {
      url: host.url,
      port: Number(new URL(host.url).port),
      folder,
      logs,
      errors,
      close: async () => {
        await host.close()
        await remove()
      },
    }
  } catch (error) {
    await remove()
    throw error
  }
}
