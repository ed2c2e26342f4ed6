/** A slow service in memory, and component instances that can die in the middle of anything, for tests of jobs. */
import { expect } from 'vitest'
import type { JobRecord } from 'ftl-contract'
import { type ComponentEntry, toComponent } from '../../serve/component.ts'
import { createTool } from '../../tool/create-tool.ts'
import type { ContextKeyValue, ContextPlatform } from '../../tool/context.ts'
import { ToolResponse } from '../../tool/answer-builders.ts'
import type { JobDefinition } from '../definition.ts'

/** State that outlives every instance. */
export interface World {
  /** The key-value store. */
  values: Map<string, Uint8Array>
  /** Whether the store can write on a condition, as on our host. */
  compares: boolean
  now(): number
  pass(ms: number): void
  /** Promises passed to `waitUntil`. */
  background: Promise<unknown>[]
  /** Ids of the jobs whose work the service has begun and stopped. */
  begun: string[]
  stopped: string[]
  /** Status that the service reports for work it has begun. @default done */
  progress: 'running' | 'done'
}

/** @param compares whether the store can write on a condition. @default false, as on Spin */
export function world(compares = false): World {
  let offset = 0
  return {
    values: new Map(),
    compares,
    now: () => Date.now() + offset,
    pass: (ms) => void (offset += ms),
    background: [],
    begun: [],
    stopped: [],
    progress: 'done',
  }
}

/** What a component can do to the outside; its instance may die at each step. */
export interface Instance {
  platform: ContextPlatform
  begin(id: string): Promise<void>
  look(id: string): Promise<'running' | 'done' | 'stopped' | 'unknown'>
  stop(id: string): Promise<boolean>
  steps(): number
}

/** @param dieAt the step at which the instance dies, counted from 1. @default never */
export function instance(on: World, dieAt = Infinity): Instance {
  let count = 0
  const step = () => {
    if (++count >= dieAt) throw new Error('this instance is dead')
  }
  return {
    steps: () => count,
    platform: {
      openKeyValue: async () => store(on, step),
      variables: { get: () => undefined },
      files: { read: async () => undefined, list: async () => [], stamp: async () => undefined },
      now: () => on.now(),
      randomUUID: () => crypto.randomUUID(),
      fetch: () => Promise.reject(new TypeError('no network')),
      waitUntil: (work) => void on.background.push(work),
    },
    async begin(id) {
      step()
      on.begun.push(id)
      // The work may have begun although the instance dies before it learns that.
      step()
    },
    async look(id) {
      step()
      if (on.stopped.includes(id)) return 'stopped'
      return on.begun.includes(id) ? on.progress : 'unknown'
    },
    async stop(id) {
      step()
      if (!on.begun.includes(id)) return false
      on.stopped.push(id)
      step()
      return true
    },
  }
}

export interface Ticket {
  ticket: string
}

export type Works = JobDefinition<Record<string, unknown>, Ticket>

/** A tool made with `job`, run by an instance; functions that are not given use the service. */
export function tool(by: Instance, given: Partial<Works> = {}): ComponentEntry {
  return {
    tool: createTool({
      metadata: { name: 'slow', inputSchema: { type: 'object' } },
      job: {
        start: async (_, { job }) => {
          await job.update({ state: { ticket: job.id } })
          await by.begin(job.id)
          return { ticket: job.id }
        },
        poll: async (state) => {
          const found = state ? await by.look(state.ticket) : 'unknown'
          if (found === 'unknown') return 'lost'
          if (found === 'stopped') return { cancelled: 'Stopped there' }
          return found === 'done' ? { result: ToolResponse.text('made') } : { message: 'At it' }
        },
        cancel: async (state) => (state && (await by.stop(state.ticket)) ? 'cancelled' : 'ended'),
        ...given,
      },
    }),
  }
}

export interface Ask {
  method?: string
  body?: unknown
  headers?: Record<string, string>
}

export function ask(
  entry: ComponentEntry,
  by: Instance,
  path: string,
  { method = 'GET', body, headers = {} }: Ask = {},
): Promise<Response> {
  const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
  const request = new Request(`http://works.spin.internal${path}`, init)
  return toComponent(entry, 'works').fetch(request, by.platform)
}

export function startCall(
  entry: ComponentEntry,
  by: Instance,
  headers: Record<string, string> = {},
  body: unknown = {},
): Promise<Response> {
  return ask(entry, by, '/slow', {
    method: 'POST',
    body,
    headers: { prefer: 'respond-async', ...headers },
  })
}

export async function start(
  entry: ComponentEntry,
  by: Instance,
  headers?: Record<string, string>,
): Promise<JobRecord> {
  const response = await startCall(entry, by, headers)
  expect(response.status).toBe(202)
  return ((await response.json()) as { job: JobRecord }).job
}

export async function read(
  entry: ComponentEntry,
  by: Instance,
  id: string,
  ask_: Ask = {},
): Promise<JobRecord> {
  const response = await ask(entry, by, `/jobs/${id}`, ask_)
  expect(response.status).toBe(200)
  return (await response.json()) as JobRecord
}

/** Ids of all stored jobs. */
export function storedJobs(on: World): string[] {
  return keysOf(on, 'job:').map((key) => key.slice('job:'.length))
}

export function keysOf({ values }: World, prefix: string): string[] {
  return [...values.keys()].filter((key) => key.startsWith(prefix))
}

function store({ values, compares }: World, step: () => void): ContextKeyValue {
  const encoder = new TextEncoder()
  return {
    async get(key) {
      step()
      return values.get(key)
    },
    async set(key, value) {
      step()
      values.set(key, typeof value === 'string' ? encoder.encode(value) : value)
    },
    async setIf(key, expected, value) {
      if (!compares) return undefined
      step()
      if (values.get(key)?.join() !== expected?.join()) return false
      values.set(key, typeof value === 'string' ? encoder.encode(value) : value)
      return true
    },
    async delete(key) {
      step()
      values.delete(key)
    },
    async exists(key) {
      step()
      return values.has(key)
    },
    keys: () => Promise.reject(new Error('every key is too many on the way of a call')),
  }
}
