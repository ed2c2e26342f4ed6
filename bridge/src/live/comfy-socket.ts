/**
 * A connection to one ComfyUI server that reconnects as long as it is needed.
 *
 * It is best effort: events are not replayed after a disconnect, and sockets of ComfyUI fall silent after hours. So
 * the end of a job is read from its record.
 */
import { pause } from 'ftl-contract'
import { type ServerSocket, socketOf } from '../workerd.ts'

/** Milliseconds for the answer to the handshake. */
const CONNECT_TIMEOUT_MS = 10_000
/** Milliseconds before the next try; each further one in a row waits twice as long. */
const FIRST_RETRY_MS = 1_000
const LONGEST_RETRY_MS = 10_000
/**
 * Milliseconds between closing a connection that is no longer needed and opening the next. ComfyUI confuses the end
 * of the older socket with that of a newer one with the same client id, which then receives nothing.
 */
const REOPEN_MS = 250
/** Milliseconds of silence after which a connection is opened again; it may be dead. */
const SILENCE_MS = 120_000
/** Frames, and bytes, in a second: a server that sends more would keep the bridge from everything else. */
const MAX_FRAMES = 5_000
const MAX_BYTES = 64 * 1024 ** 2
/** Milliseconds for the answer to the closing handshake. */
const CLOSE_TIMEOUT_MS = 1_000

/** The first frame of each socket: without it, previews come in a form that has no prompt id. */
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

  /** Runs one connection until it ends. @returns whether the server sent anything, and not too much. */
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
    // The default is Blob, whose bytes arrive later, out of order with the texts.
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
    const isTooMuch = meter()
    let isFlooded = false
    socket.addEventListener('message', ({ data }) => {
      if (isFlooded) return
      heardAt = Date.now()
      isFlooded = isTooMuch(data, heardAt)
      if (isFlooded) end()
      else this.#options.hear(data)
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
    return heardAt > 0 && !isFlooded
  }
}

/** @returns whether the frames of this second are more than a server may send. */
function meter(): (data: unknown, now: number) => boolean {
  let since = 0
  let frames = 0
  let bytes = 0
  return (data, now) => {
    if (now - since >= 1_000) {
      since = now
      frames = bytes = 0
    }
    frames++
    bytes += data instanceof ArrayBuffer ? data.byteLength : String(data).length
    return frames > MAX_FRAMES || bytes > MAX_BYTES
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
