/** Three hosts with one store behind a proxy, in this process; ComfyUI beside them. */
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Host, startHost } from 'ftl-host'
import { type Comfyui, startComfyui } from '../jobs/comfyui.ts'
import { RECORDING } from '../support/internal-requests.ts'
import { type Proxy, startProxy } from './proxy.ts'
import { startStore, type Store } from './store.ts'

export const MANIFEST = fileURLToPath(new URL('./app/spin.toml', import.meta.url))
export const CACHE = fileURLToPath(new URL('../../.ftl/cache', import.meta.url))

/** Each test is another caller, so that no test uses up the calls of another. */
const CALLERS = ['reads', 'races', 'repeats', 'limited', 'lists']
export const CALLS_PER_MINUTE = 30

export interface Many {
  /** Origins of the hosts. */
  urls: readonly [string, string, string]
  proxy: Proxy
  store: Store
  comfyui: Comfyui
  close(): Promise<void>
}

/** @param program one of {@link STORES} */
export async function startMany(program: string | undefined): Promise<Many> {
  const [store, comfyui] = await Promise.all([startStore({ program }), startComfyui(1)])
  const config = await writeRuntimeConfig(store.url)
  const hosts = [await startOne(config.file, comfyui.url)]
  while (hosts.length < 3) hosts.push(await startOne(config.file, comfyui.url))
  const urls = hosts.map(({ url }) => url) as [string, string, string]
  const proxy = await startProxy(urls)
  return {
    urls,
    proxy,
    store,
    comfyui,
    async close() {
      await proxy.close()
      await Promise.all(hosts.map((host) => host.close()))
      await Promise.all([store.close(), comfyui.close(), config.remove()])
    },
  }
}

/** One of the hosts that share a store. */
export function startOne(
  runtimeConfigFile: string,
  comfyuiUrl: string,
  manifest = MANIFEST,
): Promise<Host> {
  return startHost({
    ...RECORDING,
    manifest,
    listen: '127.0.0.1:0',
    stateDir: '',
    cacheDir: CACHE,
    env: {},
    workers: 1,
    runtimeConfigFile,
    variables: variablesOf(comfyuiUrl),
  })
}

/** Variables of the application. */
export const variablesOf = (comfyuiUrl: string) => ({
  comfyui_url: comfyuiUrl,
  api_keys: JSON.stringify(CALLERS.map(entryOf)),
  policy: 'signed-in',
  // Where components share a store, as on Spin, the gateway seals what it keeps there.
  request_state_key: 'the same on all hosts',
  calls_per_minute: String(CALLS_PER_MINUTE),
})

/** The file that names the store for all hosts: `file` is its path. */
export async function writeRuntimeConfig(storeUrl: string) {
  const folder = await mkdtemp(join(tmpdir(), 'ftl-many-'))
  const file = join(folder, 'runtime.toml')
  await writeFile(file, runtimeConfig(storeUrl))
  return { file, remove: () => rm(folder, { recursive: true, force: true }) }
}

export const runtimeConfig = (url: string) =>
  `[key_value_store.default]\ntype = "redis"\nurl = "${url}"\n`

const keyOf = (caller: string) => `ftl_${createHash('sha256').update(caller).digest('base64url')}`

const entryOf = (caller: string) => ({
  sha256: createHash('sha256').update(keyOf(caller)).digest('hex'),
  principal: caller,
  scopes: [],
})

export const as = (caller: string) => ({ authorization: `Bearer ${keyOf(caller)}` })
