/** A room's links to the feeds of all ComfyUI servers, because the job does not say publicly which of them runs it. */
import type { DurableObjectNamespace } from '@cloudflare/workers-types'
import { comfyServers } from '../settings.ts'
import { type Bindings, type ServerSocket, socketOf } from '../workerd.ts'
import {
  FEED_HEADER,
  type LiveEvent,
  PROMPT_HEADER,
  WITH_PREVIEWS,
  WITHOUT_PREVIEWS,
} from './event.ts'

/** The most that any listener of a stream wants to receive. */
export type LiveWish = 'nothing' | 'progress' | 'previews'

export class LiveLinks {
  readonly #feeds: DurableObjectNamespace
  readonly #names: string[]
  readonly #hear: (event: LiveEvent) => void
  readonly #sockets = new Map<string, ServerSocket>()
  readonly #opening = new Set<string>()
  #wish: LiveWish = 'nothing'

  constructor(env: Bindings, hear: (event: LiveEvent) => void) {
    this.#feeds = env.FEEDS
    this.#names = [...comfyServers(env).keys()]
    this.#hear = hear
  }

  /** Opens, changes or closes the links. May be called often: a broken link is opened again. */
  want(wish: LiveWish, streamId: string): void {
    const changed = wish !== this.#wish
    this.#wish = wish
    if (changed) for (const socket of this.#sockets.values()) this.#tell(socket)
    if (wish === 'nothing') return
    for (const name of this.#names) {
      if (!this.#sockets.has(name) && !this.#opening.has(name)) void this.#open(name, streamId)
    }
  }

  async #open(name: string, streamId: string): Promise<void> {
    this.#opening.add(name)
    try {
      const headers = { upgrade: 'websocket', [FEED_HEADER]: name, [PROMPT_HEADER]: streamId }
      const feed = this.#feeds.get(this.#feeds.idFromName(name))
      const socket = socketOf(await feed.fetch('http://feed/', { headers }))
      if (!socket) return
      socket.accept()
      const gone = () => this.#sockets.get(name) === socket && this.#sockets.delete(name)
      socket.addEventListener('close', gone)
      socket.addEventListener('error', gone)
      socket.addEventListener('message', ({ data }) => {
        if (this.#wish !== 'nothing') this.#hear(JSON.parse(String(data)) as LiveEvent)
      })
      this.#sockets.set(name, socket)
      this.#tell(socket)
    } catch {
      // The next look at the job tries again.
    } finally {
      this.#opening.delete(name)
    }
  }

  #tell(socket: ServerSocket): void {
    try {
      if (this.#wish === 'nothing') {
        for (const [name, known] of this.#sockets) if (known === socket) this.#sockets.delete(name)
        socket.close(1000)
      } else socket.send(this.#wish === 'previews' ? WITH_PREVIEWS : WITHOUT_PREVIEWS)
    } catch {
      // It is closed already.
    }
  }
}
