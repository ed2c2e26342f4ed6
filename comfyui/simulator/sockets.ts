/**
 * WebSocket side of the simulator: the connected clients and the frames they receive.
 *
 * @see https://docs.comfy.org/development/comfyui-server/comms_messages
 */
import type { WebSocket } from 'ws'
import { contain, encodeJpeg } from './drawing/lossy.ts'
import type { Picture } from './drawing/png.ts'

/** Event numbers of the binary frames, and the number of the picture format in a preview frame. */
const PREVIEW_IMAGE = 1
const PREVIEW_IMAGE_WITH_METADATA = 4
const FORMAT_JPEG = 1

const PREVIEW_QUALITY = 95
/** Pixels of the longer side. */
const PREVIEW_SIDE = 512

interface Client {
  socket: WebSocket
  /** Whether the client announced support for previews with metadata. */
  metadata: boolean
}

export class SocketHub {
  readonly #clients = new Map<string, Client>()
  readonly #features: Record<string, unknown>
  readonly #encoded = new WeakMap<Picture, Promise<Buffer>>()
  /** The running node by client id; sent to a client when it reconnects. */
  readonly #executing = new Map<string, string>()

  constructor(features: Record<string, unknown>) {
    this.#features = features
  }

  /** If two sockets use the same id, the newer one receives all events; the older one stays open without any. */
  attach(socket: WebSocket, clientId: string | undefined, remaining: number): void {
    const id = clientId || crypto.randomUUID().replaceAll('-', '')
    const client: Client = { socket, metadata: false }
    this.#clients.set(id, client)
    send(client, 'status', { status: { exec_info: { queue_remaining: remaining } }, sid: id })
    const node = this.#executing.get(id)
    if (node !== undefined) send(client, 'executing', { node })
    socket.once('message', (data) => {
      const flags = Buffer.isBuffer(data) ? readFeatureFlags(data.toString()) : undefined
      if (!flags) return
      client.metadata = flags.supports_preview_metadata === true
      send(client, 'feature_flags', this.#features)
    })
    socket.on('close', () => this.#clients.delete(id))
    socket.on('error', () => socket.terminate())
  }

  /** Sends an event to one client; without a client id, to all clients. */
  emit(type: string, data: Record<string, unknown>, clientId?: string): void {
    if (type === 'executing' && clientId !== undefined) {
      if (typeof data.node === 'string') this.#executing.set(clientId, data.node)
      else this.#executing.delete(clientId)
    }
    for (const client of this.#recipients(clientId)) send(client, type, data)
  }

  async preview(
    picture: Picture,
    promptId: string,
    nodeId: string,
    clientId?: string,
  ): Promise<void> {
    const recipients = this.#recipients(clientId)
    if (recipients.length === 0) return
    const encoded =
      this.#encoded.get(picture) ?? encodeJpeg(contain(picture, PREVIEW_SIDE), PREVIEW_QUALITY)
    this.#encoded.set(picture, encoded)
    const jpeg = await encoded
    const metadata = Buffer.from(
      JSON.stringify({
        node_id: nodeId,
        prompt_id: promptId,
        display_node_id: nodeId,
        parent_node_id: null,
        real_node_id: nodeId,
        image_type: 'image/jpeg',
      }),
    )
    const plain = Buffer.concat([words(PREVIEW_IMAGE, FORMAT_JPEG), jpeg])
    const described = Buffer.concat([
      words(PREVIEW_IMAGE_WITH_METADATA, metadata.length),
      metadata,
      jpeg,
    ])
    for (const client of recipients) client.socket.send(client.metadata ? described : plain)
  }

  #recipients(clientId: string | undefined): Client[] {
    if (clientId === undefined) return [...this.#clients.values()]
    const client = this.#clients.get(clientId)
    return client ? [client] : []
  }
}

function send({ socket }: Client, type: string, data: Record<string, unknown>): void {
  if (socket.readyState === socket.OPEN) socket.send(JSON.stringify({ type, data }))
}

function words(...values: number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 4)
  values.forEach((value, index) => buffer.writeUInt32BE(value, index * 4))
  return buffer
}

function readFeatureFlags(text: string): Record<string, unknown> | undefined {
  try {
    const message = JSON.parse(text) as { type?: unknown; data?: Record<string, unknown> }
    return message.type === 'feature_flags' ? (message.data ?? {}) : undefined
  } catch {
    return undefined
  }
}
