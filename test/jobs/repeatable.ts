import { post } from '../support/rpc.ts'
import { LEGACY, sentEvents } from './calls.ts'
import type { Ending } from './readers.ts'

export const NAME = 'generate_image'

/** A call as it can be sent again. */
export interface Repeatable {
  arguments: object
  headers: { 'idempotency-key': string }
}

let seed = 0

/** Never the same picture twice: ComfyUI would not render the second. */
export function newCall(): Repeatable {
  return {
    arguments: { prompt: 'a lighthouse in a storm', seed: ++seed },
    headers: { 'idempotency-key': crypto.randomUUID() },
  }
}

const started = new Map<string, Repeatable>()

export function remember(id: string, call: Repeatable): string {
  started.set(id, call)
  return id
}

/** `undefined` for a job that was started in another way. */
export function callOf(id: string): Repeatable | undefined {
  return started.get(id)
}

/** What a call with a progress token receives, in order. */
export async function callWithProgress(
  url: string,
  call: Repeatable,
): Promise<{ progress: Record<string, unknown>[]; last: Ending }> {
  const params = { name: NAME, arguments: call.arguments, _meta: { progressToken: 'p1' } }
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
  const response = await post(url, body, { ...LEGACY, ...call.headers })
  const progress: Record<string, unknown>[] = []
  let result: Record<string, unknown> | undefined
  // A job that has ended already is answered without a stream.
  const events = response.headers.get('content-type')?.startsWith('text/event-stream')
  const messages = events ? dataOf(response) : [(await response.json()) as Record<string, unknown>]
  for await (const data of messages) {
    if (result) throw new Error(`after the result: ${JSON.stringify(data)}`)
    if (data['method'] === 'notifications/progress') {
      progress.push(data['params'] as Record<string, unknown>)
    } else result = data['result'] as Record<string, unknown>
  }
  if (!result) throw new Error('the call ended without a result')
  return { progress, last: { completed: result['isError'] !== true, answer: result } }
}

async function* dataOf(response: Response): AsyncGenerator<Record<string, unknown>> {
  for await (const { data } of sentEvents(response)) yield data
}
