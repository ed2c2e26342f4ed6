/** Clients of streams that connect again as `ftl-client` does, and what became of each. */
import type { Message } from '../src/testing/gateway-stand-in.ts'
import { reconnectPauseMs } from '../../client/src/reconnect-pause.ts'

/** Handshakes at the same moment: more would only wait in the listener's queue. */
const HANDSHAKES = 64

export class Client {
  readonly messages = new Map<string, number>()
  /** Handshakes that failed, since the start or the last {@link Client.breaks}. */
  failures = 0
  /** When the socket opened last, by `performance.now()`. */
  openedAt = Number.NaN
  /** Resolves when `stream/end` has come. */
  readonly ended: Promise<void>
  readonly #address: string
  readonly #end: () => void
  #isOver = false

  constructor(bridgeUrl: string, stream: string) {
    this.#address = `${bridgeUrl.replace('http', 'ws')}/ws/stream/${stream}`
    const { promise, resolve } = Promise.withResolvers<void>()
    this.ended = promise
    this.#end = resolve
  }

  /** Resolves when the socket is open, after as many attempts as that takes. */
  async connect(): Promise<void> {
    for (let attempt = 0; !(await this.#open()); attempt++) {
      this.failures++
      await new Promise((wake) => setTimeout(wake, reconnectPauseMs(attempt)))
    }
  }

  /** Whether the bridge went away, so that it connects again; called once. */
  breaks: () => void = () => {}

  #open(): Promise<boolean> {
    const socket = new WebSocket(this.#address)
    return new Promise((resolve) => {
      let isOpen = false
      socket.onopen = () => {
        isOpen = true
        this.openedAt = performance.now()
        resolve(true)
      }
      socket.onmessage = ({ data }) => {
        const { method } = JSON.parse(String(data)) as Message
        this.messages.set(method, (this.messages.get(method) ?? 0) + 1)
        if (method !== 'stream/end') return
        this.#isOver = true
        socket.close()
        this.#end()
      }
      socket.onclose = () => {
        if (!isOpen) resolve(false)
        else if (!this.#isOver) this.breaks()
      }
    })
  }
}

/** Connects all, not more than {@link HANDSHAKES} at once. */
export async function connectAll(clients: readonly Client[]): Promise<void> {
  const waiting = [...clients]
  const worker = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) await next.connect()
  }
  await Promise.all(Array.from({ length: HANDSHAKES }, worker))
}

/** Resolves when each has lost its bridge and is connected again. @returns milliseconds from `begin` for each, ascending. */
export async function reconnectAll(
  clients: readonly Client[],
  begin: () => void,
): Promise<number[]> {
  const back = clients.map(async (client) => {
    client.failures = 0
    await new Promise<void>((broken) => (client.breaks = broken))
    client.breaks = () => {}
    await new Promise((wake) => setTimeout(wake, reconnectPauseMs(0)))
    await client.connect()
  })
  const startedAt = performance.now()
  begin()
  await Promise.all(back)
  return clients.map(({ openedAt }) => openedAt - startedAt).sort((a, b) => a - b)
}
