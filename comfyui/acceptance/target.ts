/**
 * Target of the acceptance suite: the simulator in both recorded versions, or the real server at `COMFYUI_URL`. Only
 * this file depends on which one it is.
 */
import type { TestContext } from 'vitest'
import { startSimulator } from '../simulator/index.ts'
import { type ComfyClient, createComfyClient } from '../src/client/index.ts'

export interface Target {
  url: string
  client: ComfyClient
  /** Whether the server has a node class. */
  has: (nodeClass: string) => boolean
  /** Clears all state like a server restart; absent for a real server, which the tests must not restart. */
  restart?: () => Promise<void>
  close(): Promise<void>
}

export interface TargetChoice {
  name: string
  open: () => Promise<Target>
}

/** The test node of the recordings, and the ComfyUI classes that tests require. */
const CLASSES = ['SlowImage', 'EmptyImage', 'ImageBlend', 'ImageScale', 'LoadImage', 'PreviewAny']
/** In milliseconds. Long, because a real server may be loading a model. */
const TIMEOUT_MS = 30_000

const real = process.env.COMFYUI_URL

export const TARGETS: TargetChoice[] = real
  ? [{ name: 'ComfyUI at COMFYUI_URL', open: () => connect(real, async () => {}) }]
  : (['0.33.0', '0.3.64'] as const).map((version) => ({
      name: `the simulator of ComfyUI ${version}`,
      open: async () => {
        const simulator = await startSimulator({ port: 0, version, renderSeconds: 0 })
        const target = await connect(simulator.url, () => simulator.close())
        return { ...target, restart: () => simulator.restart() }
      },
    }))

async function connect(url: string, close: () => Promise<void>): Promise<Target> {
  const client = createComfyClient({ baseUrl: url, fetch, timeoutMs: TIMEOUT_MS })
  const classes = await client.objectInfo(CLASSES)
  return { url, client, close, has: (nodeClass) => Object.hasOwn(classes, nodeClass) }
}

/** Skips the test and prints the reason if `condition` is falsy. */
export function needs(condition: unknown, reason: string, { skip, task }: TestContext): void {
  if (condition) return
  console.info(`skipped: ${task.name}: ${reason}`)
  skip(reason)
}
