/**
 * A job as it goes on, from the bridge's WebSocket: progress and previews. Nothing depends on it: a host may forbid the
 * connection, and the job is asked for as well.
 */
import type { Progress } from './read-result.ts'

export interface StreamListeners {
  progress(progress: Progress): void
  /** A data URL. */
  preview(url: string): void
  /** The job has ended, or the connection: ask for the job now. */
  ended(): void
}

export interface Stream {
  /** Milliseconds since the last message. */
  silence(): number
  close(): void
}

const PREVIEW = /^image\/(?:png|jpeg|webp)$/
/** Characters of a preview in base64. */
const LONGEST = 4_000_000

/** @param address `ws:` or `wss:`; of any other there is no stream. */
export function openStream(address: string, listeners: StreamListeners): Stream | undefined {
  let socket: WebSocket
  try {
    const url = new URL(address)
    if (!/^wss?:$/.test(url.protocol)) return undefined
    url.searchParams.set('progress', '1')
    url.searchParams.set('previews', '1')
    socket = new WebSocket(url)
  } catch {
    return undefined
  }
  let last = -Infinity
  socket.addEventListener('message', ({ data }) => {
    const { method, params } = read(data)
    last = performance.now()
    if (method === 'stream/end') {
      socket.close()
      listeners.ended()
    } else if (method === 'stream/progress' && typeof params.progress === 'number') {
      const { progress: value, total } = params
      listeners.progress({ value, ...(typeof total === 'number' && { total }) })
    } else if (method === 'stream/preview') {
      socket.send(`ack ${Number(params.seq) || 0}`)
      const { mimeType, data: frame } = params
      if (typeof frame !== 'string' || frame.length > LONGEST) return
      if (typeof mimeType === 'string' && PREVIEW.test(mimeType)) {
        listeners.preview(`data:${mimeType};base64,${frame}`)
      }
    }
  })
  return { silence: () => performance.now() - last, close: () => socket.close() }
}

interface Message {
  method?: unknown
  params: Record<string, unknown>
}

function read(data: unknown): Message {
  try {
    const { method, params } = JSON.parse(String(data)) as Partial<Message>
    return { method, params: params ?? {} }
  } catch {
    return { params: {} }
  }
}
