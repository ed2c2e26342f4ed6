import { expect, vi } from 'vitest'
import { callTool } from '../support/rpc.ts'
import { LEGACY, modernCall } from './calls.ts'
import type { Ending } from './readers.ts'
import { callWithProgress, NAME, newCall, remember } from './repeatable.ts'
import type { World } from './world.ts'

export interface Started {
  id: string
  /** The end, where the call itself stays open for it. */
  told?: Promise<Ending>
}

/** Starts a job the way one kind of client does. */
export type Starter = (world: World) => Promise<Started>

/** @param call to send it again. */
export const asTask = async ({ url }: World, call = newCall()): Promise<Started> => {
  const params = { name: NAME, arguments: call.arguments }
  const { result } = await modernCall(url, 'tools/call', params, call.headers)
  if (result?.['resultType'] !== 'task') throw new Error(`no task: ${JSON.stringify(result)}`)
  return { id: remember(String(result['taskId']), call) }
}

/** The call returns no id while it is open, but ComfyUI receives the job's id. */
export const withProgress: Starter = async ({ url, comfyui }) => {
  const submission = comfyui.submission()
  const call = newCall()
  const told = callWithProgress(url, call).then(({ last }) => last)
  // No unhandled rejection: the race for the id below fails too when the call fails.
  told.catch(() => {})
  const id = await Promise.race([submission, told.then(() => submission)])
  // ComfyUI knows it before the gateway does.
  await vi.waitFor(async () => expect((await fetch(`${url}/jobs/${id}`)).status).toBe(200), 10_000)
  return { id: remember(id, call), told }
}

/** Waits for `wait_limit_ms`. */
export const byHandle: Starter = async ({ url }) => {
  const call = newCall()
  const { result } = await callTool(url, NAME, call.arguments, { ...LEGACY, ...call.headers })
  const handle = result?.['structuredContent'] as { job_id?: string } | undefined
  if (handle?.job_id === undefined) throw new Error(`no handle: ${JSON.stringify(result)}`)
  return { id: remember(handle.job_id, call) }
}

/** @param call to send it again. */
export const asStream = async ({ url }: World, call = newCall()): Promise<Started> => {
  const { method, params } = await callTool(url, NAME, call.arguments, call.headers)
  if (method !== 'stream/start') throw new Error(`no stream: ${method}`)
  return { id: remember(String(params?.['stream_id']), call) }
}
