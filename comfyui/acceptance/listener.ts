/**
 * A WebSocket that keeps what it hears.
 *
 * @see https://docs.comfy.org/development/comfyui-server/comms_messages
 */
import { WebSocket } from 'ws'
import { toWebSocketUrl } from '../src/client/index.ts'

export interface Heard {
  type: string
  data: Record<string, unknown>
}

export interface Preview {
  promptId: unknown
  image: Buffer
}

export interface Listener {
  clientId: string
  events: Heard[]
  previews: Preview[]
  /** Events of one prompt, in their order. */
  of(promptId: string): Heard[]
  close(): void
}

const PREVIEW_WITH_METADATA = 4

/** Opens a socket and agrees on previews that say which prompt they belong to. */
export async function listen(baseUrl: string): Promise<Listener> {
  const clientId = crypto.randomUUID()
  const socket = new WebSocket(toWebSocketUrl({ baseUrl }, clientId))
  const events: Heard[] = []
  const previews: Preview[] = []
  socket.on('message', (data: Buffer, binary: boolean) => {
    if (!binary) return void events.push(JSON.parse(data.toString()) as Heard)
    if (data.readUInt32BE(0) !== PREVIEW_WITH_METADATA) return
    const end = 8 + data.readUInt32BE(4)
    const { prompt_id } = JSON.parse(data.subarray(8, end).toString()) as { prompt_id: unknown }
    previews.push({ promptId: prompt_id, image: data.subarray(end) })
  })
  await new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  const data = { supports_preview_metadata: true }
  socket.send(JSON.stringify({ type: 'feature_flags', data }))
  return {
    clientId,
    events,
    previews,
    of: (promptId) => events.filter((event) => event.data.prompt_id === promptId),
    close: () => socket.close(),
  }
}
