import { callTool, post } from '../support/rpc.ts'
import { LEGACY, modernCall, sentEvents } from './calls.ts'
import type { Ending } from './readers.ts'
import type { World } from './world.ts'

export interface Started {
  id: string
  /** The end, where the call itself stays open for it. */
  told?: Promise<Ending>
}

/** Starts a job the way one kind of client does. */
export type Starter = (world: World) => Promise<Started>

const NAME = 'generate_image'

let seed = 0

/** Never the same picture twice: ComfyUI would not render the second. */
function newArguments(): object {
  return { prompt: 'a lighthouse in a storm', seed: ++seed }
}

export const asTask: Starter = async ({ url }) => {
  const { result } = await modernCall(url, 'tools/call', { name: NAME, arguments: newArguments() })
  if (result?.['resultType'] !== 'task') throw new Error(`no task: ${JSON.stringify(result)}`)
  return { id: String(result['taskId']) }
}

/** The call tells no id while it is open, but ComfyUI is given the job's. */
export const withProgress: Starter = async ({ url, comfyui }) => {
  const submission = comfyui.submission()
  const told = callWithProgress(url).then(({ last }) => last)
  // Whoever waits for the id hears of a call that failed too.
  told.catch(() => {})
  return { id: await Promise.race([submission, told.then(() => submission)]), told }
}

/** What a call with a progress token is sent, in order. */
export async function callWithProgress(
  url: string,
): Promise<{ progress: Record<string, unknown>[]; last: Ending }> {
  const params = { name: NAME, arguments: newArguments(), _meta: { progressToken: 'p1' } }
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
  const response = await post(url, body, LEGACY)
  const progress: Record<string, unknown>[] = []
  let result: Record<string, unknown> | undefined
  for await (const { data } of sentEvents(response)) {
    if (result) throw new Error(`after the result: ${JSON.stringify(data)}`)
    if (data['method'] === 'notifications/progress') {
      progress.push(data['params'] as Record<string, unknown>)
    } else result = data['result'] as Record<string, unknown>
  }
  if (!result) throw new Error('the call ended without a result')
  return { progress, last: { completed: result['isError'] !== true, answer: result } }
}

/** Waits for `wait_limit_ms`. */
export const byHandle: Starter = async ({ url }) => {
  const { result } = await callTool(url, NAME, newArguments(), LEGACY)
  const handle = result?.['structuredContent'] as { job_id?: string } | undefined
  if (handle?.job_id === undefined) throw new Error(`no handle: ${JSON.stringify(result)}`)
  return { id: handle.job_id }
}

export const asStream: Starter = async ({ url }) => {
  const { method, params } = await callTool(url, NAME, newArguments())
  if (method !== 'stream/start') throw new Error(`no stream: ${method}`)
  return { id: String(params?.['stream_id']) }
}
