/**
 * What the acceptance suite runs against: the simulator in both recorded versions, or the real server at
 * `COMFYUI_URL`. Nothing but this file knows which.
 *
 * @module
 */
import type { TestContext } from 'vitest'
import { startSimulator } from '../simulator/index.ts'
import { type ComfyClient, createComfyClient } from '../src/client/index.ts'

export interface Target {
  url: string
  client: ComfyClient
  /** Whether the server has a node class. */
  has: (nodeClass: string) => boolean
  /** Forgets everything, as a restart does; absent where nobody may do that. */
  restart?: () => Promise<void>
  close(): Promise<void>
}

export interface TargetChoice {
  name: string
  open: () => Promise<Target>
}

/** The test node of the recordings, and classes of ComfyUI a test cannot do without. */
const CLASSES = ['SlowImage', 'EmptyImage', 'ImageBlend', 'ImageScale', 'LoadImage', 'PreviewAny']
/** A real server may be loading something. */
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

/** Skips the test and prints why, unless it can be run here. */
export function needs(condition: unknown, reason: string, { skip, task }: TestContext): void {
  if (condition) return
  console.info(`skipped: ${task.name}: ${reason}`)
  skip(reason)
}
