/** `fetch` of the native gateway: through the host, and ended with its request. */
import { HttpError } from '../http/http-error.ts'
import type { Guest } from '../instance/guest.ts'
import { NativeHeaders } from './headers.ts'
import {
  hasNoBody,
  type NativeRequest,
  type NativeRequestInit,
  NativeResponse,
} from './messages.ts'
import type { NativeRun } from './native-run.ts'
import { type Outgoing, outgoing } from './outgoing.ts'

export async function nativeFetch(
  run: NativeRun,
  guest: Guest,
  input: string | URL | NativeRequest,
  init?: NativeRequestInit,
): Promise<NativeResponse> {
  const request = outgoing(input, init)
  const { signal } = request
  if (signal?.aborted) throw signal.reason
  const controller = new AbortController()
  const stop = (reason: unknown) => controller.abort(reason)
  run.opened(stop)
  try {
    const sent = { ...request, signal: controller.signal }
    const answer = guest.services.outbound.send(sent, guest)
    answer.then(
      ({ body }) => (run.hasEnded || signal?.aborted) && body.cancel(),
      () => undefined,
    )
    const { status, headers, body } = await run.waits(untilAborted(answer, signal, stop))
    const source = run.readsAnswer(body)
    signal?.addEventListener('abort', () => source.abort(signal.reason), { once: true })
    const isWithout = hasNoBody(status)
    if (isWithout) source.cancel()
    return new NativeResponse(isWithout ? null : source, {
      status,
      headers: NativeHeaders.of(headers),
    })
  } catch (error) {
    throw failed(error, request)
  } finally {
    run.closed(stop)
  }
}

/** The work, or the reason of an abort at once: who was asked may take longer to end. */
function untilAborted<T>(
  work: Promise<T>,
  signal: AbortSignal | null,
  stop: (reason: unknown) => void,
): Promise<T> {
  if (!signal) return work
  return new Promise((resolve, reject) => {
    const abort = () => {
      stop(signal.reason)
      reject(signal.reason as Error)
    }
    signal.addEventListener('abort', abort)
    const end = () => signal.removeEventListener('abort', abort)
    work.then(
      (result) => (end(), resolve(result)),
      (error: unknown) => (end(), reject(error as Error)),
    )
  })
}

/** As our engine words it. */
function failed(error: unknown, { scheme, authority }: Outgoing): unknown {
  if (!(error instanceof HttpError)) return error
  const message = `fetch failed: ${scheme}://${authority}: ${error.code}`
  return new TypeError(message, { cause: error })
}
