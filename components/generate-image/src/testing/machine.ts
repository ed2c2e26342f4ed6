/** A component on a platform in memory, called as the gateway calls it. */
import { readdirSync, readFileSync } from 'node:fs'
import { type MemoryPlatform, memoryPlatform } from 'ftl-platform/memory'
import type { JobRecord } from 'ftl-contract'
import { toComponent } from 'ftl-sdk/serve'
import { expect } from 'vitest'
import { imageTools } from '../tools.ts'

/** Mounts with render types that fail: `Broken` while it renders, `SomeType` for want of a node. */
export const FIXTURES = new URL('../../../../test/fixtures/generate-image/', import.meta.url)
const component = toComponent({ tools: imageTools('<p>the viewer</p>') }, 'generate-image')
/** How long a test waits for a job. */
export const ready = { timeout: 8000, interval: 30 }

/** The mounted files of a folder with `config/` and `workflows/`. */
export function mounts(folder: URL): Record<string, string> {
  return Object.fromEntries(
    ['config', 'workflows'].flatMap((mount) =>
      readdirSync(new URL(`${mount}/`, folder)).map((file) => [
        `/${mount}/${file}`,
        readFileSync(new URL(`${mount}/${file}`, folder), 'utf8'),
      ]),
    ),
  )
}

/** A component on a machine of its own, whose network is real. */
export interface Machine {
  platform: MemoryPlatform
  /** Moves the clock on, so that jobs are due. */
  pass(ms: number): void
  requests: string[]
}

export interface MachineOptions {
  files?: Record<string, string>
  fetch?: MemoryPlatform['fetch']
  variables?: Record<string, string>
}

export function machine(
  url: string,
  { files = mounts(FIXTURES), fetch: network = fetch, variables = {} }: MachineOptions = {},
): Machine {
  let offset = 0
  const requests: string[] = []
  const platform = memoryPlatform({
    variables: { comfyui_url: url, ...variables },
    files,
    now: () => Date.now() + offset,
    fetch: (input, init) => {
      requests.push(
        `${init?.method ?? 'GET'} ${new URL(input instanceof Request ? input.url : input).pathname}`,
      )
      return network(input, init)
    },
  })
  return { platform, requests, pass: (ms) => void (offset += ms) }
}

export function call(
  { platform }: Machine,
  path: string,
  {
    method = 'GET',
    body,
    headers,
  }: { method?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<Response> {
  const init = {
    method,
    headers: headers ?? {},
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }
  return component.fetch(new Request(`http://generate-image.spin.internal${path}`, init), platform)
}

export async function start(
  on: Machine,
  args: Record<string, unknown>,
  headers: Record<string, string> = {},
): Promise<JobRecord> {
  const response = await call(on, '/generate_image', {
    method: 'POST',
    body: args,
    headers: { prefer: 'respond-async', ...headers },
  })
  expect(response.status).toBe(202)
  const { job } = (await response.json()) as { job: JobRecord }
  expect(response.headers.get('location')).toBe(`/jobs/${job.id}`)
  return job
}

export async function look(on: Machine, id: string): Promise<JobRecord> {
  on.pass(1001)
  const response = await call(on, `/jobs/${id}`)
  expect(response.status).toBe(200)
  return (await response.json()) as JobRecord
}

/** Polls a job that is always due. */
export const statusOf = (on: Machine, id: string) => async () => (await look(on, id)).status
