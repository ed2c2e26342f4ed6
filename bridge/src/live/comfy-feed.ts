/**
 * One ComfyUI server: its single socket, shared by the rooms of all streams that want live progress.
 *
 * Each server has its own Durable Object, which is connected only while a room is linked to it. Events are routed by
 * prompt id, which is the stream id; events of a prompt without a room are dropped.
 */
import { toBase64 } from 'ftl-http'
import { Pace } from '../pace.ts'
import { comfyServers } from '../settings.ts'
import { type Bindings, type ServerSocket, upgraded, webSocketPair } from '../workerd.ts'
import { readFrame } from './comfy-frame.ts'
import { ComfySocket } from './comfy-socket.ts'
import { FEED_HEADER, type LiveEvent, PROMPT_HEADER, WITH_PREVIEWS } from './event.ts'
import { previewHint } from './preview-hint.ts'

/** A sampler may take a hundred steps a second. */
const EVENT_INTERVAL_MS = 250

interface Link {
  socket: ServerSocket
  previews: boolean
  steps: Pace<LiveEvent>
  pictures: Pace<{ mimeType: string; image: Uint8Array }>
}

export class ComfyFeed {
  readonly #env: Bindings
  readonly #links = new Map<string, Link>()
  #comfy: ComfySocket | undefined
  #isPreviewChecked = false

  constructor(_state: unknown, env: Bindings) {
    this.#env = env
  }

  /** A room links itself to one prompt. */
  async fetch({ headers }: Request): Promise<Response> {
    const baseUrl = comfyServers(this.#env).get(headers.get(FEED_HEADER) ?? '')
    if (baseUrl === undefined) return new Response(null, { status: 404 })
    const promptId = headers.get(PROMPT_HEADER) ?? ''
    const { client, server } = webSocketPair()
    server.accept()
    const link = createLink(server)
    const leave = () => this.#leave(promptId, link)
    server.addEventListener('message', ({ data }) => {
      link.previews = data === WITH_PREVIEWS
      if (link.previews) void this.#checkPreviews(baseUrl)
    })
    server.addEventListener('close', leave)
    server.addEventListener('error', leave)
    // An older link belongs to a previous instance of the room.
    this.#links.get(promptId)?.steps.stop()
    this.#links.get(promptId)?.pictures.stop()
    this.#links.set(promptId, link)
    this.#comfy ??= new ComfySocket({
      baseUrl,
      hear: (data) => this.#hear(data),
      ...(this.#env.COMFYUI_CLIENT_ID && { clientId: this.#env.COMFYUI_CLIENT_ID }),
    })
    this.#comfy.start()
    return upgraded(client)
  }

  /** Logs once what the operator must set, because without it a client waits for previews that never come. */
  async #checkPreviews(baseUrl: string): Promise<void> {
    if (this.#isPreviewChecked) return
    this.#isPreviewChecked = true
    const hint = await previewHint(baseUrl)
    if (hint !== undefined) console.warn(hint)
  }

  #hear(data: unknown): void {
    const frame = readFrame(data)
    const link = frame && this.#links.get(frame.promptId)
    if (!link) return
    if (frame.kind === 'step') link.steps.offer({ step: frame.step })
    else if (link.previews) link.pictures.offer(frame)
  }

  #leave(promptId: string, link: Link): void {
    link.steps.stop()
    link.pictures.stop()
    close(link.socket)
    if (this.#links.get(promptId) === link) this.#links.delete(promptId)
    if (this.#links.size === 0) this.#comfy?.stop()
  }
}

function createLink(socket: ServerSocket): Link {
  const send = (event: LiveEvent) => {
    try {
      socket.send(JSON.stringify(event))
    } catch {
      // The room has gone.
    }
  }
  return {
    socket,
    previews: false,
    steps: new Pace(EVENT_INTERVAL_MS, send),
    // Encoded only when it is sent, because a newer picture replaces most of them first.
    pictures: new Pace(EVENT_INTERVAL_MS, ({ mimeType, image }) =>
      send({ preview: { mimeType, data: toBase64(image) } }),
    ),
  }
}

function close(socket: ServerSocket): void {
  try {
    socket.close(1000)
  } catch {
    // It is closed already.
  }
}
