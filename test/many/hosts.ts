/** Three hosts with one store behind a proxy, each host a process of its own that can be killed; ComfyUI beside them. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Comfyui, startComfyui } from '../jobs/comfyui.ts'
import { freePort, ftl, type RunningCommand } from '../support/command.ts'
import { type Proxy, startProxy } from './proxy.ts'
import { startStore, type Store, type StoreOptions } from './store.ts'
import { MANIFEST, runtimeConfig } from './world.ts'

export interface HostProcess {
  url: string
  /** SIGTERM, as a deployment does. */
  stop(): Promise<void>
  kill(): Promise<void>
  start(): Promise<void>
  output(): string
}

export interface Hosts {
  hosts: readonly HostProcess[]
  proxy: Proxy
  store: Store
  comfyui: Comfyui
  close(): Promise<void>
}

export async function startHosts(options: StoreOptions = {}): Promise<Hosts> {
  const [store, comfyui] = await Promise.all([startStore(options), startComfyui(0.2)])
  const folder = await mkdtemp(join(tmpdir(), 'ftl-hosts-'))
  const config = join(folder, 'runtime.toml')
  await writeFile(config, runtimeConfig(store.url))
  const hosts: HostProcess[] = []
  for (let i = 0; i < 3; i++) hosts.push(hostProcess(await freePort(), config, comfyui.url))
  await Promise.all(hosts.map((host) => host.start()))
  const proxy = await startProxy(hosts.map(({ url }) => url))
  return {
    hosts,
    proxy,
    store,
    comfyui,
    async close() {
      await proxy.close()
      await Promise.all(hosts.map((host) => host.kill()))
      await Promise.all([store.close(), comfyui.close()])
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function hostProcess(port: number, config: string, comfyuiUrl: string): HostProcess {
  let command: RunningCommand | undefined
  let printed = ''
  const end = async (signal: NodeJS.Signals) => {
    command?.signal(signal)
    await command?.exited
    printed += command?.output() ?? ''
    command = undefined
  }
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    async start() {
      command = ftl([
        ...['up', '--from', MANIFEST, '--listen', `127.0.0.1:${port}`, '--state-dir', ''],
        ...['--runtime-config-file', config, '--workers', '1'],
        ...['--variable', `comfyui_url=${comfyuiUrl}`],
      ])
      await command.printed('Serving')
    },
    output: () => printed + (command?.output() ?? ''),
  }
}
