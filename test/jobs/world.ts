import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Bridge, startBridge } from 'ftl-bridge/local'
import { freePort, ftl, type RunningCommand } from '../support/command.ts'
import { MANIFESTS } from '../support/manifests.ts'
import { type Comfyui, startComfyui } from './comfyui.ts'

/** The application as a process of its own, which can be killed; ComfyUI and the bridge beside it. */
export interface World {
  /** Origin of the gateway; stays the same. */
  url: string
  /** Stays the same. */
  bridgeUrl: string
  comfyui: Comfyui
  /** Of the host, as it is now. */
  hostPid(): number
  /** Ends the host as a crash does. */
  kill(): Promise<void>
  /** Starts it again where it was, with what it had stored. */
  start(): Promise<void>
  restartBridge(): Promise<void>
  /** Makes a job older than it is; only while the host does not run. */
  age(id: string, seconds: number): void
  close(): Promise<void>
}

export interface WorldOptions {
  /** @default the application itself */
  manifest?: string
  /** Seconds of one rendering. @default 1 */
  renderSeconds?: number
  variables?: Record<string, string>
}

export async function startWorld({
  manifest = MANIFESTS.application,
  renderSeconds = 1,
  variables = {},
}: WorldOptions = {}): Promise<World> {
  const stateDir = await mkdtemp(join(tmpdir(), 'ftl-jobs-'))
  const comfyui = await startComfyui(renderSeconds)
  const [port, bridgePort] = [await freePort(), await freePort()]
  const url = `http://127.0.0.1:${port}`
  const set = { comfyui_url: comfyui.url, bridge_url: `:${bridgePort}`, ...variables }
  let host: RunningCommand | undefined
  const start = async () => {
    host = ftl([
      ...['up', '--from', manifest, '--listen', `127.0.0.1:${port}`, '--state-dir', stateDir],
      ...Object.entries(set).flatMap(([name, value]) => ['--variable', `${name}=${value}`]),
    ])
    await host.printed('Serving')
  }
  const end = async (signal: NodeJS.Signals) => {
    host?.signal(signal)
    await host?.exited
  }
  await start()
  const startOwnBridge = (): Promise<Bridge> => startBridge({ gatewayUrl: url, port: bridgePort })
  let bridge = await startOwnBridge()
  return {
    url,
    bridgeUrl: bridge.url,
    comfyui,
    hostPid: () => host?.pid ?? 0,
    kill: () => end('SIGKILL'),
    start,
    async restartBridge() {
      await bridge.close()
      bridge = await startOwnBridge()
    },
    age(id, seconds) {
      const database = new DatabaseSync(join(stateDir, 'sqlite_key_value.db'))
      // The component's record, and the gateway's.
      for (const key of [`job:${id}`, `gateway:job:${id}`]) {
        changeRecord(database, key, seconds * 1000)
      }
      database.close()
    },
    async close() {
      await bridge.close()
      await end('SIGTERM')
      await comfyui.close()
      await rm(stateDir, { recursive: true, force: true })
    },
  }
}

function changeRecord(database: DatabaseSync, key: string, byMs: number): void {
  const row = database.prepare('SELECT value FROM spin_key_value WHERE key = ?').get(key)
  const bytes = row?.['value'] as Uint8Array
  const job = JSON.parse(new TextDecoder().decode(bytes)) as Record<string, string>
  for (const name of ['createdAt', 'updatedAt', 'expiresAt']) {
    job[name] = new Date(Date.parse(job[name] ?? '') - byMs).toISOString()
  }
  database
    .prepare('UPDATE spin_key_value SET value = ? WHERE key = ?')
    .run(new TextEncoder().encode(JSON.stringify(job)), key)
}
