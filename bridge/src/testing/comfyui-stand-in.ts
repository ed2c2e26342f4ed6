/** For tests: the WebSocket of a ComfyUI server, which sends the frames a test passes to it. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'

export interface Attached {
  socket: WebSocket
  clientId: string
  path: string
  /** Headers of the handshake. */
  headers: Record<string, unknown>
  /** Texts it has sent, in order. */
  heard: string[]
}

export class ComfyStandIn {
  /** Every connection there was. */
  readonly attached: Attached[] = []
  readonly #http = createServer()
  readonly #sockets = new WebSocketServer({ server: this.#http })

  static async start(): Promise<ComfyStandIn> {
    const comfyui = new ComfyStandIn()
    comfyui.#sockets.on('connection', (socket, { url, headers }) => {
      const { pathname, searchParams } = new URL(url ?? '/', 'http://comfyui')
      const clientId = searchParams.get('clientId') ?? ''
      const attached: Attached = { socket, clientId, path: pathname, headers, heard: [] }
      socket.on('message', (data) => attached.heard.push((data as Buffer).toString()))
      comfyui.attached.push(attached)
      const status = { exec_info: { queue_remaining: 0 } }
      socket.send(JSON.stringify({ type: 'status', data: { status, sid: attached.clientId } }))
    })
    await new Promise<void>((resolve) => comfyui.#http.listen(0, '127.0.0.1', resolve))
    return comfyui
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}`
  }

  /** Connections that are open. */
  get open(): Attached[] {
    return this.attached.filter(({ socket }) => socket.readyState === socket.OPEN)
  }

  /** Sends to every open connection. */
  send(frame: string | Buffer | { type: string; data: unknown }): void {
    const data = typeof frame === 'string' || Buffer.isBuffer(frame) ? frame : JSON.stringify(frame)
    for (const { socket } of this.open) socket.send(data)
  }

  step(promptId: string, value: number, max = 20, node = '3'): void {
    this.send({ type: 'progress', data: { value, max, prompt_id: promptId, node } })
  }

  /** @param promptId absent = the older form, which has no prompt id. */
  preview(image: Buffer, promptId?: string): void {
    if (promptId === undefined) return this.send(Buffer.concat([words(1, 1), image]))
    const metadata = Buffer.from(
      JSON.stringify({ node_id: '3', prompt_id: promptId, image_type: 'image/jpeg' }),
    )
    this.send(Buffer.concat([words(4, metadata.length), metadata, image]))
  }

  async close(): Promise<void> {
    for (const { socket } of this.attached) socket.terminate()
    this.#sockets.close()
    await new Promise((resolve) => this.#http.close(resolve))
  }
}

function words(...values: number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 4)
  values.forEach((value, index) => buffer.writeUInt32BE(value, index * 4))
  return buffer
}
