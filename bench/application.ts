/** Applications of any number of components: the same `.wasm` under many names. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { loadApplication } from 'ftl/application'
import { buildComponents } from 'ftl/build'
import { startHost } from 'ftl-host'
import { RECORDING } from '../test/support/internal-requests.ts'
import { MANIFESTS } from '../test/support/manifests.ts'
import { gatewayManifest } from './manifest.ts'

export interface ApplicationOptions {
  /** How many echo components there are. */
  components: number
  /** One more component, which never answers. @default false */
  dead?: boolean
  /** `catalog_ttl_ms`. @default the gateway's own */
  ttlMs?: number
}

export interface Application {
  url: string
  /** Takes the catalog out of the key-value store, as before the first request ever. */
  forget(): void
  close(): Promise<void>
}

/** The host's cache of prepared modules, shared with everything else that runs here. */
export const CACHE_DIR = fileURLToPath(new URL('../.ftl/cache', import.meta.url))

/** Builds what the measurements need, where it has changed. */
export async function build(): Promise<void> {
  const parts = await Promise.all([
    loadApplication(MANIFESTS.application),
    loadApplication(MANIFESTS.fixtures, ['fails']),
    loadApplication(fileURLToPath(new URL('./fixtures/spin.toml', import.meta.url))),
  ])
  // The gateway is in two of them.
  const targets = new Map(parts.flatMap(({ targets }) => targets.map((one) => [one.output, one])))
  await buildComponents([...targets.values()], {
    cacheFolder: CACHE_DIR,
    onEvent: ({ id, state }) => state === 'building' && console.error(`building ${id}`),
  })
}

export async function startApplication(options: ApplicationOptions): Promise<Application> {
  const folder = await mkdtemp(join(tmpdir(), 'ftl-bench-'))
  const manifest = join(folder, 'spin.toml')
  await writeFile(manifest, manifestOf(options))
  const host = await startHost({
    ...RECORDING,
    manifest,
    listen: '127.0.0.1:0',
    stateDir: folder,
    cacheDir: CACHE_DIR,
    env: {},
  })
  const database = new DatabaseSync(join(folder, 'sqlite_key_value.db'), { timeout: 5000 })
  return {
    url: host.url,
    forget: () => database.exec("DELETE FROM spin_key_value WHERE key LIKE 'catalog:%'"),
    async close() {
      database.close()
      await host.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function manifestOf({ components, dead = false, ttlMs }: ApplicationOptions): string {
  const echoes = Array.from({ length: components }, (_, index) => ({
    name: `echo-${index + 1}`,
    wasm: 'echo.wasm',
  }))
  const broken = { name: 'dead', wasm: 'test/app/broken.wasm', variables: { fault: 'hangs' } }
  const variables: Record<string, string> =
    ttlMs === undefined ? {} : { catalog_ttl_ms: String(ttlMs) }
  return gatewayManifest('ftl-bench', [...echoes, ...(dead ? [broken] : [])], variables)
}
