/**
 * One stream: everybody who listens to one job gets the same messages.
 *
 * A Durable Object, so that all sockets of a stream meet in one place and the gateway is asked once for all of
 * them. It keeps nothing: the job's record is the state, and it lies in the gateway's key-value store. The plain
 * WebSocket API is used and not hibernation, because an object that looks at a job every second never sleeps
 * long enough to hibernate.
 *
 * @module
 */
import { isFinal, type PublicJob } from 'ftl-sdk/contract'
import { lookAtJob } from './job-source.ts'
import {
  chunkMessage,
  endMessage,
  errorMessage,
  progressMessage,
  SERVICE_ERROR,
  type StreamError,
} from './messages.ts'
import { type Bindings, type ServerSocket, upgraded, webSocketPair } from './workerd.ts'

/** The guide asks the client to close first; one that does not is closed after this time. */
const CLOSE_GRACE_MS = 2_000
const DEFAULT_GIVE_UP_MS = 30_000
const FIRST_RETRY_MS = 250
const LONGEST_RETRY_MS = 4_000
const DEFAULT_POLL_MS = 1_000
const SHORTEST_POLL_MS = 100
/** A listener has nothing to say; what it sends anyway is dropped, and too much of it ends the socket. */
const MAX_CLIENT_MESSAGES = 100

const NORMAL_CLOSURE = 1000
const POLICY_VIOLATION = 1008

/** Headers the worker sets; a client cannot, because the worker makes a request of its own. */
export const STREAM_HEADER = 'x-stream-id'
export const ORIGIN_HEADER = 'x-stream-origin'
export const PROGRESS_HEADER = 'x-stream-progress'

interface Listener {
  socket: ServerSocket
  origin: string
  wantsProgress: boolean
  /** The newest change this listener was told of. */
  seq: number
}

export class StreamRoom {
  readonly #env: Bindings
  readonly #listeners = new Set<Listener>()
  #streamId = ''
  #watching = false
  /** The end of the stream, once it is known; it never changes. */
  #final: PublicJob | undefined

  constructor(_state: unknown, env: Bindings) {
    this.#env = env
  }

  fetch(request: Request): Response {
    const { headers } = request
    this.#streamId = headers.get(STREAM_HEADER) ?? ''
    const { client, server } = webSocketPair()
    server.accept()
    const listener: Listener = {
      socket: server,
      origin: headers.get(ORIGIN_HEADER) ?? '',
      wantsProgress: headers.get(PROGRESS_HEADER) === '1',
      seq: -1,
    }
    this.#join(listener)
    return upgraded(client)
  }

  #join(listener: Listener): void {
    const { socket } = listener
    const leave = () => void this.#listeners.delete(listener)
    socket.addEventListener('close', () => {
      leave()
      closeQuietly(socket, NORMAL_CLOSURE)
    })
    socket.addEventListener('error', leave)
    let received = 0
    socket.addEventListener('message', () => {
      if (++received <= MAX_CLIENT_MESSAGES) return
      leave()
      closeQuietly(socket, POLICY_VIOLATION, 'nothing is expected from a listener')
    })
    this.#listeners.add(listener)
    if (this.#final) this.#finish(listener, chunkMessage(this.#final, listener.origin))
    else void this.#watch()
  }

  /** Looks at the job while somebody listens. */
  async #watch(): Promise<void> {
    if (this.#watching) return
    this.#watching = true
    try {
      let unreachableSince: number | undefined
      let retryMs = FIRST_RETRY_MS
      while (this.#listeners.size > 0) {
        const look = await lookAtJob(this.#env.GATEWAY_URL, this.#streamId)
        if (look.kind === 'missing') {
          return this.#finishAll({
            code: SERVICE_ERROR,
            message: 'This stream does not exist or has expired.',
          })
        }
        if (look.kind === 'unreachable') {
          unreachableSince ??= Date.now()
          if (Date.now() - unreachableSince >= this.#giveUpMs) {
            return this.#finishAll({
              code: SERVICE_ERROR,
              message:
                'The gateway cannot be reached, so the outcome is not known. Connect again later: the job is not lost.',
            })
          }
          await sleep(retryMs)
          retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS)
          continue
        }
        unreachableSince = undefined
        retryMs = FIRST_RETRY_MS
        if (isFinal(look.job)) {
          this.#final = look.job
          return this.#finishAll(look.job)
        }
        this.#tellProgress(look.job)
        await sleep(Math.max(look.job.pollIntervalMs || DEFAULT_POLL_MS, SHORTEST_POLL_MS))
      }
    } finally {
      this.#watching = false
    }
  }

  #tellProgress(job: PublicJob): void {
    for (const listener of this.#listeners) {
      if (!listener.wantsProgress || job.seq <= listener.seq) continue
      listener.seq = job.seq
      send(listener.socket, progressMessage(job))
    }
  }

  #finishAll(end: PublicJob | StreamError): void {
    for (const listener of [...this.#listeners]) {
      const chunk =
        'status' in end ? chunkMessage(end, listener.origin) : errorMessage(this.#streamId, end)
      this.#finish(listener, chunk)
    }
  }

  #finish(listener: Listener, chunk: string): void {
    this.#listeners.delete(listener)
    const { socket } = listener
    send(socket, chunk)
    send(socket, endMessage(this.#streamId))
    setTimeout(() => closeQuietly(socket, NORMAL_CLOSURE), CLOSE_GRACE_MS)
  }

  get #giveUpMs(): number {
    const value = Number(this.#env.GIVE_UP_MS)
    return Number.isFinite(value) && value > 0 ? value : DEFAULT_GIVE_UP_MS
  }
}

function send(socket: ServerSocket, message: string): void {
  try {
    socket.send(message)
  } catch {
    // The client has gone; its close event takes it off the list.
  }
}

function closeQuietly(socket: ServerSocket, code: number, reason?: string): void {
  try {
    socket.close(code, reason)
  } catch {
    // It is closed already.
  }
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
