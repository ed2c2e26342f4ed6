/** The component on a platform in memory, called as the gateway calls it. */
import { type JobRecord, type Offer, PRINCIPAL_HEADER, type ToolResult } from 'ftl-contract'
import { memoryPlatform } from 'ftl-platform/memory'
import { toComponent } from 'ftl-sdk/serve'
import { encode } from 'fast-png'
import * as entry from '../main.ts'

const component = toComponent(entry, 'comfyui')
/** Longer than the poll interval of a job. */
const DUE_MS = 1001

export interface MachineOptions {
  variables?: Record<string, string>
  /** Content of servers.json. @default none */
  servers?: unknown
  network?: typeof fetch
}

export function machine(
  comfyuiUrl: string,
  { variables = {}, servers, network = fetch }: MachineOptions = {},
) {
  /** Method and URL of every request. */
  const sent: string[] = []
  /** Path of every request. */
  const asked: string[] = []
  let offset = 0
  const platform = memoryPlatform({
    variables: { comfyui_url: comfyuiUrl, ...variables },
    files: servers ? { '/generate-image/servers.json': JSON.stringify(servers) } : {},
    now: () => Date.now() + offset,
    fetch: (input, init) => {
      const { href, pathname } = new URL(new Request(input).url)
      sent.push(`${init?.method ?? 'GET'} ${href}`)
      asked.push(pathname)
      return network(input, init)
    },
  })
  const ask = async (path: string, init?: RequestInit): Promise<unknown> => {
    const url = `http://comfyui.spin.internal${path}`
    return (await component.fetch(new Request(url, init), platform)).json()
  }
  return {
    sent,
    asked,
    list: () => ask('/') as Promise<Offer>,
    call: (tool: string, args: unknown = {}) =>
      ask(`/${tool}`, { method: 'POST', body: JSON.stringify(args) }) as Promise<ToolResult>,
    async start(tool: string, args: unknown) {
      const headers = { prefer: 'respond-async' }
      const init = { method: 'POST', body: JSON.stringify(args), headers }
      return ((await ask(`/${tool}`, init)) as { job: JobRecord }).job
    },
    platform,
    /** As the gateway or another component sends it, for this caller. */
    request: (path: string, principal?: string, init: RequestInit = {}) => {
      const headers = new Headers(init.headers)
      if (principal !== undefined) headers.set(PRINCIPAL_HEADER, principal)
      const url = `http://comfyui.spin.internal${path}`
      return component.fetch(new Request(url, { ...init, headers }), platform)
    },
    /** Moves the clock on. */
    pass: (milliseconds: number) => void (offset += milliseconds),
    /** Reads a job that is due for a poll. */
    look(id: string) {
      offset += DUE_MS
      return ask(`/jobs/${id}`) as Promise<JobRecord>
    },
  }
}

export function textOf({ content }: ToolResult): string {
  return content.map((item) => (item.type === 'text' ? String(item.text) : '')).join('\n')
}

/** A picture of 4 x 3 pixels. */
export const PNG = encode({ width: 4, height: 3, data: new Uint8Array(36), channels: 3 })
export const WORKFLOW = {
  '1': { class_type: 'EmptyImage', inputs: { width: 8, height: 8, batch_size: 1, color: 255 } },
  '2': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'x' } },
}
export const SWITCHED_ON = { comfyui_run_workflow: 'true', comfyui_free_memory: 'true' }
