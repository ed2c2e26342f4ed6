/** From a response of the native gateway to one of the host. */
import { HttpError } from '../http/http-error.ts'
import type { HttpResponse } from '../http/messages.ts'
import { Pipe } from '../http/pipe.ts'
import { Body } from './body.ts'
import type { NativeResponse } from './messages.ts'
import { PipeSource } from './pipe-source.ts'
import { ownHeaders, writeWhole } from './write-whole.ts'

/** The request that is answered. */
export interface Answering {
  /** Waits for the host. */
  waits<T>(wait: Promise<T>): Promise<T>
  /** Is called when the request ends, however it does. */
  opened(stop: () => void): void
}

/** Hands over the response. @returns a promise only if its body is not written yet. */
export function sendOn(
  response: NativeResponse,
  respond: (response: HttpResponse) => void,
  answering: Answering,
): Promise<void> | undefined {
  const { status } = response
  const headers = ownHeaders(response.headers)
  const body = new Pipe()
  const content = Body.take(response)
  if (content === null || typeof content === 'string' || content instanceof Uint8Array) {
    writeWhole(content, { headers, body })
    respond({ status, headers, body })
    return undefined
  }
  respond({ status, headers, body })
  const source = content instanceof PipeSource ? piecesOf(content) : chunksOf(content)
  return copy(source, body, answering)
}

interface Pieces {
  next(): Promise<Uint8Array | undefined>
  cancel(): void
}

function piecesOf(source: PipeSource): Pieces {
  return { next: () => source.next(), cancel: () => source.cancel() }
}

function chunksOf(stream: ReadableStream<Uint8Array>): Pieces {
  const reader = stream.getReader()
  return {
    next: async () => (await reader.read()).value,
    cancel: () => void reader.cancel().catch(() => undefined),
  }
}

/** Not more than the reader takes. A body that breaks off must not look complete. */
async function copy(from: Pieces, to: Pipe, answering: Answering): Promise<void> {
  const broken = () => to.fail(new HttpError('internal-error', 'the body broke off'))
  answering.opened(() => {
    from.cancel()
    broken()
  })
  const watch = () => {
    if (to.cancelled) from.cancel()
    else to.writable.onReady(watch)
  }
  watch()
  try {
    for (;;) {
      const piece = await from.next()
      if (piece === undefined) return to.end()
      to.write(piece)
      while (to.permit() === 0) {
        await answering.waits(new Promise<void>((resolve) => void to.writable.onReady(resolve)))
      }
    }
  } catch (error) {
    broken()
    throw error
  }
}
