import { setTimeout as sleep } from 'node:timers/promises'
import { callTool } from '../support/rpc.ts'
import { jsonLines, LEGACY, modernCall, sentEvents } from './calls.ts'
import { pictureOf, pixelHash } from './picture.ts'
import { callOf, callWithProgress } from './repeatable.ts'

/** Where jobs are read. */
export interface Place {
  url: string
  bridgeUrl: string
}

/** How a job ended, as one reader received it. */
export interface Ending {
  completed: boolean
  /** The result with its links, or the error that says why there is no result. */
  answer: unknown
}

/** Follows a job to its end, whatever breaks on the way. */
export type Reader = (place: Place, id: string) => Promise<Ending>

/** Shorter than the job's own interval, so that readers come between two looks of the gateway at ComfyUI too. */
const PAUSE_MS = 200
/** More than a host takes to start again. */
const PATIENCE_MS = 25_000

const asTask: Reader = ({ url }, id) =>
  untilTold(async () => {
    const { result, error } = await modernCall(url, 'tasks/get', { taskId: id })
    if (!result) throw new Gone(error)
    const { status, result: end } = result
    if (status === 'working') return undefined
    return { completed: status === 'completed', answer: end ?? result['error'] }
  })

/** The wait was too long for the call. */
function isHandle(answer: unknown, id: string): boolean {
  const { structuredContent } = answer as { structuredContent?: { job_id?: unknown } }
  return structuredContent?.job_id === id
}

const byTool: Reader = ({ url }, id) =>
  untilTold(async () => {
    const { result, error } = await callTool(url, 'get_job', { job_id: id }, LEGACY)
    if (!result) throw new Gone(error)
    if (isHandle(result, id)) return undefined
    return { completed: result['isError'] !== true, answer: result }
  })

/** Sends the call that started it again, with its key, and gets progress, then the result. */
const byProgress: Reader = ({ url }, id) =>
  untilTold(async () => {
    const call = callOf(id)
    if (!call) throw new Gone('no such job: nobody knows the call that started it')
    const { last } = await callWithProgress(url, call)
    return isHandle(last.answer, id) ? undefined : last
  })

const byWebSocket: Reader = ({ bridgeUrl }, id) =>
  untilTold(async () => {
    const messages = await listen(`${bridgeUrl.replace('http', 'ws')}/ws/stream/${id}`)
    const [chunk, end, ...surplus] = messages
    if (end?.method !== 'stream/end') return undefined
    if (chunk?.method !== 'stream/chunk' || surplus.length > 0) throw new Gone(messages)
    const { result, error } = chunk.params
    return { completed: error === undefined, answer: result ?? error }
  })

const byLines: Reader = ({ url }, id) =>
  untilTold(async () => lastOf(jsonLines(await events(url, id, 'application/x-ndjson'))))

const byEvents: Reader = ({ url }, id) =>
  untilTold(async () => lastOf(dataOf(sentEvents(await events(url, id, 'text/event-stream')))))

const byPolling: Reader = ({ url }, id) =>
  untilTold(async () => {
    const response = await fetch(`${url}/jobs/${id}`)
    const job = (await response.json()) as Record<string, unknown>
    if (response.status !== 200) throw new Gone(job)
    if (job['status'] === 'working') return undefined
    const completed = job['status'] === 'completed'
    return { completed, answer: completed ? { source: `${url}/outputs/${id}.png` } : job['error'] }
  })

const AGAIN = 'the same call again, with progress'

/** Whether a reader can read this job. */
export function canRead(name: string, id: string): boolean {
  return name !== AGAIN || callOf(id) !== undefined
}

/** Every way to read a job that another client started; the client that started it may get its end too. */
export const READERS: Record<string, Reader> = {
  'MCP tasks': asTask,
  [AGAIN]: byProgress,
  'the tool get_job': byTool,
  'the WebSocket of the bridge': byWebSocket,
  'lines of JSON': byLines,
  'server-sent events': byEvents,
  polling: byPolling,
}

/** Hash of the pixels that a reader got; fails when it got no picture. */
export async function shown({ completed, answer }: Ending): Promise<string> {
  if (!completed) throw new Error(`no picture but ${JSON.stringify(answer)}`)
  const response = await fetch(pictureOf(answer))
  if (response.status !== 200) throw new Error(`${response.url}: ${response.status}`)
  return pixelHash(new Uint8Array(await response.arrayBuffer()))
}

/** The answer is final, so asking again does not help. */
class Gone extends Error {
  constructor(answer: unknown) {
    super(`not a job: ${JSON.stringify(answer)}`)
  }
}

/** Looks again until there is an end; a connection that breaks does not count as one. */
async function untilTold(look: () => Promise<Ending | undefined>): Promise<Ending> {
  const until = performance.now() + PATIENCE_MS
  for (;;) {
    const end = await look().catch((error: unknown) => {
      if (error instanceof Gone || performance.now() > until) throw error
      return undefined
    })
    if (end) return end
    if (performance.now() > until) throw new Error('the job did not end')
    await sleep(PAUSE_MS)
  }
}

async function events(url: string, id: string, accept: string): Promise<Response> {
  const response = await fetch(`${url}/jobs/${id}/events`, { headers: { accept } })
  if (response.status !== 200) throw new Gone(await response.text())
  return response
}

async function* dataOf(messages: ReturnType<typeof sentEvents>) {
  for await (const { event, data } of messages) {
    if (event !== data['type']) throw new Gone({ event, data })
    yield data
  }
}

/** `undefined` when the lines break off; there must be nothing after the end. */
async function lastOf(lines: AsyncIterable<Record<string, unknown>>): Promise<Ending | undefined> {
  let end: Ending | undefined
  for await (const line of lines) {
    if (end) throw new Gone({ end, line })
    const { type } = line
    if (type === 'result') end = { completed: true, answer: line['result'] }
    if (type === 'error') end = { completed: false, answer: line }
  }
  return end
}

export interface StreamMessage {
  method: string
  params: { stream_id: string; result?: unknown; error?: { code: number; message: string } }
}

/** What may still come after the end, and must not, would come within this time. */
const AFTER_END_MS = 300

/** Everything that comes until the connection ends, which it does shortly after the stream. */
export function listen(wsUrl: string): Promise<StreamMessage[]> {
  return new Promise((resolve, reject) => {
    const messages: StreamMessage[] = []
    const socket = new WebSocket(wsUrl)
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(String(data)) as StreamMessage
      messages.push(message)
      if (message.method === 'stream/end') setTimeout(() => socket.close(), AFTER_END_MS)
    }
    socket.onerror = () => reject(new Error(`cannot connect to ${wsUrl}`))
    socket.onclose = () => resolve(messages)
  })
}
