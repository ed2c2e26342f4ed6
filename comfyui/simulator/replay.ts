/** Sends recorded exchanges to a server with fresh ids and collects the frames of its WebSocket. */
import { WebSocket } from 'ws'

export interface RecordedRequest {
  method: string
  path: string
  headers?: Record<string, string>
  json?: unknown
  text?: string
  multipart?: Record<string, string | { filename: string; contentType: string; bytes: number }>
}

export interface RecordedResponse {
  status: number
  headers: Record<string, string>
  json?: unknown
  text?: string
  base64?: string
}

export interface RecordedMessage {
  t: number
  json?: { type: string; data: Record<string, unknown> }
  binaryBase64?: string
}

export interface RecordedEntry {
  name: string
  request?: RecordedRequest
  response?: RecordedResponse
  clientId?: string
  promptId?: string
  messages?: RecordedMessage[]
}

export interface Recording {
  comfyuiVersion: string
  entries: RecordedEntry[]
}

/** A frame in comparable form: text frames unchanged, binary frames as event number and metadata. */
export type Frame = Record<string, unknown>

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b[0-9a-f]{32}\b/g
const PREVIEW_WITH_METADATA = 4

export class Replay {
  readonly #url: string
  readonly #entries: RecordedEntry[]
  readonly #ids = new Map<string, string>()
  readonly #sockets = new Map<string, { socket: WebSocket; frames: Frame[] }>()

  constructor(url: string, entries: RecordedEntry[]) {
    this.#url = url
    this.#entries = entries
  }

  /** Replaces the ids of a recorded value with those of this replay. */
  translate<T>(recorded: T): T {
    const text = JSON.stringify(recorded).replace(ID, (id) => {
      const known = this.#ids.get(id) ?? crypto.randomUUID()
      this.#ids.set(id, known)
      return id.includes('-') ? known : known.replaceAll('-', '')
    })
    return JSON.parse(text) as T
  }

  /** Sends a request. If the socket of a prompt was recorded, opens that socket first. */
  async send(recorded: RecordedRequest): Promise<Response> {
    await this.#openSocketFor(recorded)
    const { method, path, headers, json, text, multipart } = this.translate(recorded)
    const init: RequestInit = { method, headers: headers ?? {} }
    if (multipart) init.body = toForm(multipart)
    else if (text !== undefined) init.body = text
    else if (json !== undefined) {
      init.body = JSON.stringify(json)
      init.headers = { 'content-type': 'application/json', ...headers }
    }
    return fetch(this.#url + path, init)
  }

  /** Waits until a socket has received `count` frames, for at most `patienceMs`, and returns up to `count`. */
  async frames(clientId: string, count: number, patienceMs: number): Promise<Frame[]> {
    const heard = this.#sockets.get(clientId)
    if (!heard) throw new Error(`no prompt of client ${clientId} was sent`)
    for (const end = Date.now() + patienceMs; heard.frames.length < count && Date.now() < end;) {
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    heard.socket.close()
    return heard.frames.slice(0, count)
  }

  recordedFrames(messages: RecordedMessage[]): Frame[] {
    return this.translate(
      messages.map(
        ({ json, binaryBase64 = '' }) => json ?? toFrame(Buffer.from(binaryBase64, 'base64')),
      ),
    )
  }

  close(): void {
    for (const { socket } of this.#sockets.values()) socket.terminate()
  }

  async #openSocketFor({ json }: RecordedRequest): Promise<void> {
    const recordedId = (json as { client_id?: string } | undefined)?.client_id
    const entry = this.#entries.find(({ clientId }) => clientId === recordedId)
    if (recordedId === undefined || !entry) return
    const url = new URL(`/api/ws?clientId=${this.translate(recordedId)}`, this.#url)
    url.protocol = 'ws:'
    const socket = new WebSocket(url)
    const frames: Frame[] = []
    this.#sockets.set(recordedId, { socket, frames })
    socket.on('message', (data: Buffer, binary: boolean) => {
      frames.push(binary ? toFrame(data) : (JSON.parse(data.toString()) as Frame))
    })
    await new Promise((resolve, reject) => {
      socket.once('open', resolve)
      socket.once('error', reject)
    })
    const flags = { type: 'feature_flags', data: { supports_preview_metadata: true } }
    socket.send(JSON.stringify(flags))
    await until(() => frames.length >= 2)
  }
}

async function until(condition: () => boolean): Promise<void> {
  for (const end = Date.now() + 5000; !condition() && Date.now() < end;) {
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

function toFrame(bytes: Buffer): Frame {
  const event = bytes.readUInt32BE(0)
  if (event !== PREVIEW_WITH_METADATA) return { event }
  const length = bytes.readUInt32BE(4)
  return { event, metadata: JSON.parse(bytes.subarray(8, 8 + length).toString()) as unknown }
}

function toForm(fields: NonNullable<RecordedRequest['multipart']>): FormData {
  const form = new FormData()
  for (const [name, field] of Object.entries(fields)) {
    if (typeof field === 'string') form.set(name, field)
    else {
      const { filename, contentType, bytes } = field
      form.set(name, new File([new Uint8Array(bytes).fill(7)], filename, { type: contentType }))
    }
  }
  return form
}
