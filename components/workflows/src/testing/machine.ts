/** The component on a platform in memory, called as the gateway calls it. */
import { readFileSync } from 'node:fs'
import { type MemoryPlatform, memoryPlatform } from 'ftl-platform/memory'
import type { JobRecord, Offer, ToolResult } from 'ftl-contract'
import { toComponent } from 'ftl-sdk/serve'
import * as entry from '../main.ts'

const shipped = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
/** The files that the component is shipped with. */
export const EXAMPLE = {
  '/config/example.json': shipped('config/example.json'),
  '/workflows/example.json': shipped('workflows/example.json'),
}
/** Longer than the poll interval of a job. */
const DUE_MS = 1001
const component = toComponent(entry, 'workflows')

export interface Machine {
  platform: MemoryPlatform
  /** Files that were read, stamps not counted. */
  reads: string[]
  /** Key-value entries that were read. */
  keys: string[]
  /** Writes a file, or takes it away. */
  put(path: string, text: string | undefined): void
  list(): Promise<Offer>
  call(tool: string, args?: unknown): Promise<{ status: number; result: ToolResult }>
  /** A call of a caller that takes a job for an answer. */
  start(tool: string, args?: unknown, more?: Record<string, string>): Promise<JobRecord>
  /** Reads a job that is due for a poll. */
  look(id: string): Promise<JobRecord>
}

export interface MachineOptions {
  files: Record<string, string | Uint8Array>
  /** @default none: tools answer with the workflow */
  comfyuiUrl?: string
  /** Further variables. @default none */
  variables?: Record<string, string>
  /** @default the network */
  fetch?: MemoryPlatform['fetch']
  /** Whether the key-value store fails. @default false */
  forgetful?: boolean
}

export function machine({
  files: initial,
  comfyuiUrl = '',
  variables = {},
  fetch: network = fetch,
  forgetful = false,
}: MachineOptions): Machine {
  const files = new Map(Object.entries(initial))
  const reads: string[] = []
  const keys: string[] = []
  let offset = 0
  const now = () => Date.now() + offset
  const base = memoryPlatform({
    variables: { comfyui_url: comfyuiUrl, ...variables },
    fetch: network,
    now,
  })
  // Other files at every request, as on a disk.
  const disk = () => memoryPlatform({ files: Object.fromEntries(files) }).files
  const platform: MemoryPlatform = {
    ...base,
    files: {
      read: (path) => {
        reads.push(path)
        return disk().read(path)
      },
      list: (path) => disk().list(path),
      stamp: (path) => disk().stamp(path),
    },
    async openKeyValue(label) {
      if (forgetful) throw new Error('there is no store')
      const store = await base.openKeyValue(label)
      return {
        ...store,
        get: (key) => {
          keys.push(key)
          return store.get(key)
        },
      }
    },
  }
  const ask = (path: string, init?: RequestInit) =>
    component.fetch(new Request(`http://workflows.spin.internal${path}`, init), platform)
  return {
    platform,
    reads,
    keys,
    put: (path, text) => void (text === undefined ? files.delete(path) : files.set(path, text)),
    list: async () => (await (await ask('/')).json()) as Offer,
    async call(tool, args = {}) {
      const init = { method: 'POST', body: JSON.stringify(args) }
      const response = await ask(`/${encodeURIComponent(tool)}`, init)
      return { status: response.status, result: (await response.json()) as ToolResult }
    },
    async start(tool, args = {}, more = {}) {
      const headers = { prefer: 'respond-async', ...more }
      const response = await ask(`/${tool}`, {
        method: 'POST',
        body: JSON.stringify(args),
        headers,
      })
      return ((await response.json()) as { job: JobRecord }).job
    },
    async look(id) {
      offset += DUE_MS
      return (await (await ask(`/jobs/${id}`)).json()) as JobRecord
    },
  }
}
