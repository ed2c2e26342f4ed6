/**
 * A connection to one ComfyUI server that is opened again while it is wanted.
 *
 * Nothing depends on it: events are not replayed after a break, sockets of ComfyUI fall silent after hours, and a
 * job's end is read from its record.
 *
 * @module
 */
import { type ServerSocket, socketOf } from '../workerd.ts'

/** Milliseconds for the answer to the handshake. */
const CONNECT_TIMEOUT_MS = 10_000
/** Milliseconds before the next try; each further one in a row waits twice as long. */
const FIRST_RETRY_MS = 1_000
const LONGEST_RETRY_MS = 10_000
/**
 * Milliseconds between a connection nobody wanted any more and the next: ComfyUI takes the end of an older socket
 * for that of the newer one of the same client id, which then hears nothing.
 */
const REOPEN_MS = 250
/** A connection that tells nothing for so long is opened anew; it may have gone deaf. */
const SILENCE_MS = 120_000
/** A server that does not answer the closing handshake is not waited for. */
const CLOSE_TIMEOUT_MS = 1_000

/** The first frame: without it previews come in a form that does not say whose they are. It counts for a socket. */
const FEATURES = JSON.stringify({
  type: 'feature_flags',
  data: { supports_preview_metadata: true },
})

export interface ComfySocketOptions {
  /** Base URL of the server; a path prefix is kept. */
  baseUrl: string
  /** The same for every connection. @default a random one for each */
  clientId?: string
  /** Receives each frame: a string, or an `ArrayBuffer`. */
  hear: (data: unknown) => void
}

export class ComfySocket {
  readonly #options: ComfySocketOptions
  #wanted = false
  #running = false
  #end: (() => void) | undefined

  constructor(options: ComfySocketOptions) {
    this.#options = options
  }

  /** Connects, if it is not connected. */
  start(): void {
    this.#wanted = true
    if (!this.#running) void this.#run()
  }

  stop(): void {
    this.#wanted = false
    this.#end?.()
  }

  async #run(): Promise<void> {
    this.#running = true
    let retryMs = FIRST_RETRY_MS
    while (this.#wanted) {
      const heard = await this.#connect().catch(() => false)
      const isOver = !this.#wanted
      if (heard) retryMs = FIRST_RETRY_MS
      await pause(isOver ? REOPEN_MS : retryMs)
      retryMs = isOver ? FIRST_RETRY_MS : Math.min(retryMs * 2, LONGEST_RETRY_MS)
    }
    this.#running = false
  }

  /** One connection from its opening to its end. Whether the server said anything. */
  async #connect(): Promise<boolean> {
    const { baseUrl, clientId = crypto.randomUUID() } = this.#options
    const patience = new AbortController()
    const timer = setTimeout(() => patience.abort(), CONNECT_TIMEOUT_MS)
    const response = await fetch(`${baseUrl}/api/ws?clientId=${encodeURIComponent(clientId)}`, {
      headers: { upgrade: 'websocket' },
      redirect: 'manual',
      signal: patience.signal,
    }).finally(() => clearTimeout(timer))
    const socket = socketOf(response)
    if (!socket) {
      await response.body?.cancel()
      return false
    }
    // Standing would be a Blob, whose bytes come later, out of order with the texts.
    socket.binaryType = 'arraybuffer'
    socket.accept()
    if (!this.#wanted) return close(socket)
    socket.send(FEATURES)
    return this.#listen(socket)
  }

  async #listen(socket: ServerSocket): Promise<boolean> {
    let heardAt = 0
    const { promise: over, resolve: end } = Promise.withResolvers<void>()
    const openedAt = Date.now()
    const watch = setInterval(() => {
      if (Date.now() - Math.max(heardAt, openedAt) > SILENCE_MS) end()
    }, SILENCE_MS / 4)
    this.#end = end
    socket.addEventListener('message', ({ data }) => {
      heardAt = Date.now()
      this.#options.hear(data)
    })
    const closed = new Promise<void>((resolve) => {
      socket.addEventListener('close', () => resolve())
      socket.addEventListener('error', () => resolve())
    })
    await Promise.race([over, closed])
    clearInterval(watch)
    this.#end = undefined
    close(socket)
    await Promise.race([closed, pause(CLOSE_TIMEOUT_MS)])
    return heardAt > 0
  }
}

function close(socket: ServerSocket): false {
  try {
    socket.close(1000)
  } catch {
    // It is closed already.
  }
  return false
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
