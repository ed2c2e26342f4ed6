/** Follows a stream over its WebSocket: `stream/chunk` with the result or the error, then `stream/end`. */
import { ConnectionError, RpcError, ViolationError } from '../errors.ts'
import { reconnectPauseMs } from '../reconnect-pause.ts'
import { pause } from '../wait.ts'
import type { FollowOptions } from './follow-task.ts'
import { progressOf } from './progress.ts'
import { isObject } from '../is-object.ts'

/** Attempts on a bridge that has never answered: it is probably not running, and the user should learn that within half a minute. */
const ATTEMPTS_BEFORE_FIRST = 9

export interface StreamOptions extends FollowOptions {
  /**
   * How often a broken connection is opened again in total; the server then repeats its messages. The default lasts about
   * two minutes: a bridge that restarts with thousands of clients refuses each of them several times. One that was never
   * reached is given up after eight. @default 24
   */
  reconnects?: number
  /** Milliseconds before the first reconnect at most, doubled for each further one. @default 250 */
  reconnectMs?: number
}

type Message = Record<string, unknown>
type End = { result: Message } | { error: Error }

/**
 * Returns the result of the stream that `started` describes. The socket is closed when the stream ends and when
 * `signal` fires, which is the only way to cancel a stream.
 *
 * @throws {RpcError} for an error chunk. @throws {ConnectionError} when every reconnect failed.
 */
export async function followStream(
  started: Readonly<Message>,
  { signal, onProgress, reconnects = 24, reconnectMs = 250 }: StreamOptions = {},
): Promise<Message> {
  const address = addressOf(started, onProgress !== undefined)
  let wasOpen = false
  const onOpen = () => (wasOpen = true)
  for (let attempt = 0; ; attempt++) {
    const end = await listen(address, { onOpen, onProgress }, signal)
    if (end && 'error' in end) throw end.error
    if (end) return end.result
    if (!wasOpen && attempt + 1 >= ATTEMPTS_BEFORE_FIRST) {
      throw new ConnectionError(`the bridge ${address.origin} cannot be reached`)
    }
    if (attempt >= reconnects) {
      throw new ConnectionError(`the stream ${address.origin} broke off before its end`)
    }
    await pause(reconnectPauseMs(attempt, reconnectMs), signal)
  }
}

function addressOf({ ws_url: text }: Readonly<Message>, withProgress: boolean): URL {
  // The server chooses the address, so only its form can be checked.
  if (typeof text !== 'string' || !/^wss?:\/\//.test(text) || !URL.canParse(text)) {
    throw new ViolationError('stream/start has no ws_url of a WebSocket')
  }
  const url = new URL(text)
  if (withProgress) url.searchParams.set('progress', '1')
  return url
}

/** The end of the stream; `undefined` when the connection broke first. */
function listen(
  address: URL,
  { onOpen, onProgress }: Pick<FollowOptions, 'onProgress'> & { onOpen: () => void },
  signal: AbortSignal | undefined,
): Promise<End | undefined> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error)
    const socket = new WebSocket(address)
    let end: End | undefined
    const stop = () => {
      socket.close()
      reject(signal?.reason as Error)
    }
    signal?.addEventListener('abort', stop, { once: true })
    socket.addEventListener('open', onOpen)
    // If the server is unreachable, the constructor does not throw: `error` is emitted, then `close`.
    socket.addEventListener('error', () => {})
    socket.addEventListener('close', () => {
      signal?.removeEventListener('abort', stop)
      resolve(end)
    })
    socket.addEventListener('message', ({ data }) => {
      const { method, params } = messageOf(data)
      if (method === 'stream/progress') onProgress?.(progressOf(params))
      else if (method === 'stream/chunk') end ??= endOf(params)
      else if (method === 'stream/end') {
        end ??= { error: new ViolationError('the stream ended without a result') }
        socket.close()
      }
    })
  })
}

function endOf({ result, error }: Message): End | undefined {
  if (isObject(error)) {
    const { code, message, data } = error
    const text = typeof message === 'string' ? message : 'the job failed'
    return { error: new RpcError(typeof code === 'number' ? code : -32603, text, data) }
  }
  return isObject(result) ? { result } : undefined
}

function messageOf(data: unknown): { method?: unknown; params: Message } {
  try {
    const { method, params } = JSON.parse(String(data)) as Message
    return { method, params: isObject(params) ? params : {} }
  } catch {
    // Ignore other messages: binary previews, answers to pings.
    return { params: {} }
  }
}
